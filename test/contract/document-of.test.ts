import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { documentOf, showing } from "../../src/contract/document-of.ts";
import { jsonObject, time } from "../../src/domain/entity.ts";

const NOON = "2026-01-02T12:00:00.000Z";

const fields = {
  id: z.string(),
  gardenId: z.string().nullable(),
  rowCount: z.number().int(),
  wateredAt: time.nullable(),
  lastHarvest: z
    .object({ costUsd: z.number(), soldTo: z.array(z.object({ personId: z.string() })) })
    .nullable(),
  notesOfOthers: jsonObject,
};
const document = z.object(documentOf(fields));
const show = showing(fields);

const bed = {
  id: "bed-1",
  gardenId: "garden-1",
  rowCount: 3,
  wateredAt: NOON,
  lastHarvest: { costUsd: 1.5, soldTo: [{ personId: "ann" }, { personId: "bob" }] },
  notesOfOthers: { camelKey: { innerKey: 1 }, snake_key: null },
};

describe("an entity as JSON", () => {
  test("has keys in snake_case, and a reference without `Id`", () => {
    expect(show(bed)).toEqual({
      id: "bed-1",
      garden: "garden-1",
      row_count: 3,
      watered_at: NOON,
      last_harvest: { cost_usd: 1.5, sold_to: [{ person: "ann" }, { person: "bob" }] },
      notes_of_others: { camelKey: { innerKey: 1 }, snake_key: null },
    });
  });

  test("keeps what is null, and leaves out what is no field", () => {
    const bare = { ...bed, gardenId: null, wateredAt: null, lastHarvest: null, secret: "shed" };
    expect(show(bare)).toEqual({
      ...show(bed),
      garden: null,
      watered_at: null,
      last_harvest: null,
    });
  });

  test("is what its schema describes", () => {
    expect(document.parse(show(bed))).toEqual(show(bed));
    expect(document.safeParse(bed).success).toBe(false);
    expect(document.safeParse({ ...show(bed), row_count: null }).success).toBe(false);
  });

  test("is read from another version, whose times and numbers may be finer", () => {
    const other = { ...show(bed), row_count: 2.5, watered_at: "2026-01-02T12:00:00.123456Z" };
    expect(document.parse(other)).toEqual(other);
  });
});
