// Which server this plugin can talk to: in, what a server says of itself; out, nothing, or a Fault.

import { Fault } from "./fault.js";

/** The first version of Reverie that has everything this plugin asks for. */
export const LEAST = "0.1.0";

/** Throws a Fault where the server is too old to be asked. */
export function requireVersion(said) {
  if (typeof said?.version !== "string") {
    throw new Fault("version", "What answers there is not Reverie.", "Set `url` to the address `reverie serve` tells.");
  }
  if (older(said.version, LEAST)) {
    throw new Fault("version", `Reverie ${said.version} answers; this plugin needs ${LEAST} or newer.`, "Update it: pip install --upgrade 'path/to/reverie[serve]'.");
  }
}

function older(version, than) {
  const [ours, least] = [numbers(version), numbers(than)];
  for (let place = 0; place < least.length; place += 1) {
    if (ours[place] !== least[place]) return (ours[place] ?? 0) < least[place];
  }
  return false;
}

function numbers(version) {
  return version.split(".").slice(0, 3).map((part) => Number.parseInt(part, 10) || 0);
}
