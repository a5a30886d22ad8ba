"""A LangGraph graph whose long-term memory is Reverie. The model is a line of Python: nothing leaves this machine.

pip install "path/to/reverie[langgraph]" langgraph
python examples/langgraph_store.py
"""

from __future__ import annotations

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from reverie import Reverie, Scope
from reverie.faces.adapters.langgraph import ReverieStore


class Talk(TypedDict):
    """What goes through the graph."""

    said: str
    answer: str


def answer(state: Talk, runtime: Runtime) -> dict[str, str]:
    """Look for what is known, and keep what was said."""
    notes = ("users", "ada", "notes")
    found = runtime.store.search(notes, query=state["said"], limit=1)
    runtime.store.put(notes, f"note-{len(runtime.store.search(notes, limit=100))}", {"text": state["said"]})
    return {"answer": f"I remember: {found[0].value['text']}" if found else "Nothing yet."}


def main() -> None:
    """Two runs of one graph: the second knows what was said in the first."""
    builder = StateGraph(Talk)
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    with Reverie.open(":memory:") as engine:
        store = ReverieStore(engine, Scope(agent="helper", user="ada", project="home"))
        graph = builder.compile(store=store)
        print(graph.invoke({"said": "My sister Zeynep lives in Izmir."})["answer"])
        print(graph.invoke({"said": "Where does my sister live?"})["answer"])
        print(f"namespaces: {store.list_namespaces()}")


if __name__ == "__main__":
    main()
