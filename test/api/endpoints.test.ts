import { describe, expect, test } from "bun:test";
import { ok } from "neverthrow";
import type { Handlers } from "../../src/api/handlers/handler.ts";
import { openApiDocument } from "../../src/contract/description/open-api.ts";
import { type Endpoint, pathsOf } from "../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { doorServer } from "../helpers/door-server.ts";

const NOTHING_THERE = "no_such_address";

describe("the routes", () => {
  test("each path of the table is answered by its own method, and by no other", async () => {
    await using door = doorServer();
    const answered: string[] = [];
    const expected: string[] = [];
    for (const { method, path } of Object.values<Endpoint>(ENDPOINTS))
      for (const each of pathsOf(path)) {
        expected.push(`${method} ${each}`);
        const stop = new AbortController();
        const response = await door.call(`/api/v1${each.replace(":id", "x")}`, {
          method,
          signal: stop.signal,
        });
        const isJson = response.headers.get("content-type")?.includes("json") ?? false;
        const { code } = isJson ? ((await response.json()) as { code?: string }) : {};
        if (code !== NOTHING_THERE) answered.push(`${method} ${each}`);
        stop.abort();
        const other = await door.call(`/api/v1${each.replace(":id", "x")}`, { method: "PROPFIND" });
        expect([each, ((await other.json()) as { code: string }).code]).toEqual([each, NOTHING_THERE]);
      }
    expect(answered).toEqual(expected);
  });

  test("the description is open to everybody, and names the running version", async () => {
    await using door = doorServer();
    const response = await door.bare("/api/v1/openapi.json");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(openApiDocument("1.2.3"));
  });

  test("a row without a handler, or with another answer, does not compile", () => {
    type Row = Pick<typeof ENDPOINTS, "leave">;
    // @ts-expect-error the handler is missing
    const missing: Handlers<Row> = {};
    // @ts-expect-error the answer has another field
    const other: Handlers<Row> = { leave: async () => ok({ left: true }) };
    const right: Handlers<Row> = { leave: async ({ request }) => ok({ leaving: request.only_idle }) };
    expect([missing, other, right].map((one) => Object.keys(one).length)).toEqual([0, 1, 1]);
  });
});
