// The types of what browser and table say to each other, made from the table's schema: `npm run protocol`.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile, type JSONSchema } from "json-schema-to-typescript";

const here = import.meta.dirname;
export const TARGET = resolve(here, "../src/table/protocol.ts");

interface Whole {
  protocol: number;
  client: JSONSchema;
  server: JSONSchema;
  http: Record<string, JSONSchema>;
  $defs: Record<string, JSONSchema>;
}

/** The file's text as it should be. */
export async function written(): Promise<string> {
  const whole = JSON.parse(readFileSync(resolve(here, "../../docs/protocol.json"), "utf8")) as Whole;
  const schema: JSONSchema = {
    title: "Protocol",
    type: "object",
    additionalProperties: false,
    required: ["client", "server"],
    properties: { client: whole.client, server: whole.server, ...whole.http },
    $defs: whole.$defs,
  };
  const types = await compile(schema, "Protocol", {
    additionalProperties: false,
    bannerComment: "// Made from docs/protocol.json by scripts/protocol.ts. Do not edit.",
    maxItems: -1,
    style: { printWidth: 120 },
  });
  return `${types}\nexport const PROTOCOL = ${whole.protocol};\nexport type ClientMessage = Protocol["client"];\nexport type ServerMessage = Protocol["server"];\n`;
}

if (import.meta.filename === resolve(process.argv[1] ?? "")) writeFileSync(TARGET, await written());
