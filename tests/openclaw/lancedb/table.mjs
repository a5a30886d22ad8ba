// The table as OpenClaw's memory plugin treats it, with LanceDB's library for Node: a line of JSON in, a line of JSON out.
// It makes the table from a sample row that it deletes again, appends rows of the columns it knows, searches by vector,
// deletes by id, and holds one open table for as long as it runs.

import { createInterface } from "node:readline";

const root = process.env.REVERIE_LANCEDB_JS;
const { connect } = await import(new URL(`file://${root}/node_modules/@lancedb/lancedb/dist/index.js`).href).then(
  (module) => module.default ?? module,
);

const SAMPLE = "__schema__";
let base;
let table;

const plain = (row) => ({ ...row, vector: row.vector ? Array.from(row.vector) : null });

const does = {
  async make({ folder, dims, agents }) {
    base = await connect(folder);
    const sample = { id: SAMPLE, text: "", vector: Array(dims).fill(0), importance: 0, category: "other", createdAt: 0 };
    table = await base.createTable("memories", [agents ? { ...sample, agentId: SAMPLE } : sample]);
    await table.delete(`id = '${SAMPLE}'`);
    return (await table.schema()).fields.map((field) => [field.name, String(field.type), field.nullable]);
  },
  async open({ folder }) {
    base = await connect(folder);
    table = await base.openTable("memories");
    return table.countRows();
  },
  async store({ rows }) {
    for (const row of rows) await table.add([row]);
    return table.countRows();
  },
  async search({ vector, limit, agent }) {
    const asked = table.vectorSearch(vector).limit(limit);
    const found = await (agent ? asked.where(`agentId = '${agent}'`) : asked).toArray();
    return found.map((row) => ({ id: row.id, text: row.text, score: 1 / (1 + row._distance) }));
  },
  async forget({ id }) {
    await table.delete(`id = '${id}'`);
    return table.countRows();
  },
  async rows() {
    return (await table.query().toArray()).map(plain);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...given } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ answer: await does[what](given) }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
