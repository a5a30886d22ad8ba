// What goes wrong, and what to do about it: every failure leaves this plugin in one form.

/** A failure with its mend. `kind`: config, missing, version, start, silent, refused, answer or gone. */
export class Fault extends Error {
  constructor(kind, message, mend = "") {
    super(mend ? `${message} ${mend}` : message);
    this.name = "Fault";
    this.kind = kind;
    this.mend = mend;
  }
}

/** Any failure as one line for a log. */
export function told(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, " ").trim();
}
