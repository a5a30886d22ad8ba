// Order of search results: guides and commands first, what only a contributor reads last.
const FOLDERS = { "how-to/": 40, "cli/": 22, "benchmarks/": -10, "contributing": -20, "changelog": -30, "decisions/": -40, "lab/": -50 };
const API = -30;

var Scorer = {
  score: ([page, , , , score, , kind]) => {
    const folder = Object.keys(FOLDERS).find((name) => page.startsWith(name));
    return score + (folder ? FOLDERS[folder] : 0) + (kind === "object" ? API : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 36,
  partialTitle: 14,
  term: 5,
  partialTerm: 2,
};
