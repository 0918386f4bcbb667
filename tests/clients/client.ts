// A program with the types that openapi-typescript writes from the OpenAPI file:
// node client.js OFFICE TOKEN REPORT CODE REPORT-OF-CODE FIRST-DAY LAST-DAY. It prints what it read and sent as JSON.
import { openAsBlob } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./office.js";

const [address, token, report, code, accepted, played_from, played_to] = process.argv.slice(2);
const office = createClient<paths>({ baseUrl: address });
const program = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });

function answered<Answer>({ data, error }: { data?: Answer; error?: unknown }): Answer {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function upload(path: string, details: components["schemas"]["TournamentDetails"]) {
  const form = new FormData();
  form.append("file", await openAsBlob(path), "report.txt");
  form.append("details", JSON.stringify(details));
  const body = { file: "", details };
  return answered(await program.POST("/api/v1/reports/", { body, bodySerializer: () => form }));
}

async function submit(number: number, version: number) {
  const path = { number };
  const { results } = answered(await program.GET("/api/v1/reports/{number}/findings/", { params: { path } }));
  const kinds = Object.fromEntries(results.map((finding) => [finding.code, "We did not know."]));
  return answered(
    await program.POST("/api/v1/reports/{number}/submission/", { params: { path }, body: { version, kinds } }),
  );
}

const list = answered(await office.GET("/api/v1/lists/{pool}/", { params: { path: { pool: "fmjd-100" } } }));
const player = { address: "13368" };
const history = answered(await office.GET("/api/v1/players/{address}/history/", { params: { path: player } }));
const explained = answered(
  await office.GET("/api/v1/players/{address}/changes/{pool}/{in_force}/", {
    params: { path: { ...player, pool: list.pool, in_force: list.in_force } },
  }),
);
const deltas: (number | null)[] = explained.changes.map((change) => change.figures && change.figures.delta);

let since: number | null = 0;
const followed: number[] = [];
while (since !== null) {
  const query: { since: number; limit: number } = { since, limit: 7 };
  const page: components["schemas"]["Changes"] = answered(
    await office.GET("/api/v1/changes/", { params: { query } }),
  );
  followed.push(...page.results.map((change) => change.number));
  since = page.next === null ? null : followed[followed.length - 1];
}

const announced = answered(
  await program.POST("/api/v1/announcements/", {
    body: {
      name: "Harbour Open", country: "NED", place: "Hoorn", discipline: "100", time_control: "80+30",
      played_from, played_to,
    },
  }),
);
const uploaded = await upload(report, { discipline: "100", time_control: "80+30" });
const submitted = await submit(uploaded.number, uploaded.version);
const corrected = await upload(accepted, { corrects: code, discipline: "100", time_control: "30+0" });
const resubmitted = await submit(corrected.number, corrected.version);

console.log(
  JSON.stringify({
    in_force: list.in_force,
    ratings: history.map((entry) => entry.rating),
    deltas,
    followed,
    announced: announced.state,
    submitted: submitted.state,
    corrects: resubmitted.corrects,
    corrected: resubmitted.state,
  }),
);
