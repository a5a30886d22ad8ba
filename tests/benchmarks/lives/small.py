"""A small life in the form of the files, with one of everything."""

from __future__ import annotations

from pathlib import Path

LIFE = """\
life: reed-1
language: en
person: Ines
about: a life for tests
%%
m001 | 2031-02-03 07:41 | s1 | user | Ines | the spare key lies under the mat
m002 | 2031-02-03 07:42 | s1 | assistant | assistant | Noted: under the mat.
m003 | 2031-02-04 08:00 | s2 | device | calendar | dentist at nine
m004 | 2031-02-05 08:02 | s3 | tool | bash | npm test\\nexit 1
m005 | 2031-02-06 09:00 | s4 | user | Ines | from now on answer in one sentence
m006 | 2031-02-07 09:00 | s5 | user | Ines | we hung the spare key in the shed
m007 | 2031-02-08 09:00 | s6 | other | Jonas | my key hangs in the car | really
%%
pair | update | older=m001,m002 | newer=m006 | the key
pair | trap | older=m006 | newer=m007 | another's key
order | m005 | every | one sentence
%%
q01 | 2031-02-04 09:00 | question | fact | gold=m001+m002 | where is the spare key?
q02 | 2031-03-01 09:00 | question | update | gold=m006 | older=m001,m002 | where is the spare key?
q03 | 2031-03-01 09:00 | prompt | several | gold=m005,m006 | tell the neighbour where the key is
q04 | 2031-03-01 09:00 | question | trap | gold=m006 | trap=m007 | and ours | or theirs?
q05 | 2031-03-01 09:00 | question | unanswerable | near=m003 | who is the dentist?
q06 | 2031-03-01 09:00 | prompt | nothing | | what's 17% of 2,350
"""


def write(folder: Path, text: str = LIFE, name: str = "reed-1.en.life") -> Path:
    """A file of it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file
