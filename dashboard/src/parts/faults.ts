// What went wrong, for people: by the kind the server gives an error, in the page's language.
import { Problem } from "../api";
import { errors } from "../errors-tr";
import { lang } from "../texts";

export interface Fault {
  what: string;
  mend: string;
  /** The server's own words, with the values they name, where `what` says it in another language. */
  own: string;
}

const PREFIX = "urn:reverie:";

/** An error in the page's language; in English, and where the kind is unknown, as the server says it. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Problem)) return { what: error instanceof Error ? error.message : String(error), mend: "", own: "" };
  const kind = error.type.replace(PREFIX, "");
  const known = lang.value === "tr" && Object.hasOwn(errors, kind) ? errors[kind] : undefined;
  if (!known) return { what: error.message, mend: error.mend, own: "" };
  return { what: known[0], mend: known[1], own: kind === "unreachable" ? "" : error.message };
}

/** The same in one line. */
export function told(error: unknown): string {
  const { what, mend, own } = faultOf(error);
  return [what, mend, own && `(${own})`].filter(Boolean).join(" ");
}
