/** Reads and writes the place in object storage that `serve --logs` names. */
import { expect, test } from "bun:test";
import { logPlaceText, readLogPlace } from "../../src/domain/run/log-place.ts";

const GOOD: Readonly<Record<string, string>> = {
  "s3://tazuna-logs": "s3://tazuna-logs/",
  "s3://tazuna-logs/": "s3://tazuna-logs/",
  "s3://tazuna-logs/team": "s3://tazuna-logs/team/",
  "s3://tazuna-logs/team/a.b/?region=eu-central-1": "s3://tazuna-logs/team/a.b/?region=eu-central-1",
  "s3://logs/?endpoint=https://minio.example:9000/": "s3://logs/?endpoint=https%3A%2F%2Fminio.example%3A9000",
  "s3://logs?region=auto&endpoint=http://127.0.0.1:4568":
    "s3://logs/?endpoint=http%3A%2F%2F127.0.0.1%3A4568&region=auto",
};

test.each(Object.entries(GOOD))("%s is %s, which reads the same", (given, text) => {
  const place = readLogPlace(given)._unsafeUnwrap();
  expect(logPlaceText(place)).toBe(text);
  expect(readLogPlace(text)._unsafeUnwrap()).toEqual(place);
});

const BAD: Readonly<Record<string, string>> = {
  "": "is no such place",
  "https://logs.example/team": "is no such place",
  "/var/logs": "is no such place",
  "s3://": "is no name of a bucket",
  "s3://Big_Bucket/": "is no name of a bucket",
  "s3://logs/a b": "is no prefix",
  "s3://logs/team?key=1": "only `endpoint` and `region`",
  "s3://logs/#part": "only `endpoint` and `region`",
  "s3://AKIA:hidden@logs/": "No key may stand in it",
  "s3://logs?region=eu central": "is no region",
  "s3://logs?endpoint=http://minio.example": "has to be an https address",
  "s3://logs?endpoint=https://minio.example/path": "has to be an https address",
  "s3://logs?endpoint=https://me:hidden@minio.example": "has to be an https address",
  "s3://logs?endpoint=minio": "has to be an https address",
};

test.each(Object.entries(BAD))("%s is refused: %s", (given, why) => {
  const { message, remedy } = readLogPlace(given)._unsafeUnwrapErr();
  expect(message).toContain(why);
  expect(remedy).toContain("s3://BUCKET/PREFIX");
  expect(message).not.toContain("hidden");
});
