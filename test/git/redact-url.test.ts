import { expect, test } from "bun:test";
import { carriesCredentials, redactUrl } from "../../src/git/process/redact-url.ts";

test("credentials are taken out of every URL of a text, and nothing else", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["https://user:pa55@host/x.git", "https://host/x.git"],
    ["https://ghp_token@github.com/a/b", "https://github.com/a/b"],
    ["https://user:p@ss:w@rd@host/x", "https://host/x"],
    ["fatal: unable to access 'https://u:t@h/r.git/': no", "fatal: unable to access 'https://h/r.git/': no"],
    ["a https://x:1@h/ and http://y:2@h/", "a https://h/ and http://h/"],
    ['https://user:it\'s"<secret>"@host/x', "https://host/x"],
    ["fatal: 'postgres://u:it's@h/d' refused", "fatal: 'postgres://h/d' refused"],
    ["ssh://git:it's@host/x", "ssh://git@host/x"],
    [`https://user:${"a".repeat(5000)}@host/x`, "https://host/x"],
    [`https://${"a".repeat(5000)}@host/x`, "https://host/x"],
    ["1https://u:t@h/r", "1https://h/r"],
    ["{ORIGIN_https://u:t@h/r}", "{ORIGIN_https://h/r}"],
    ['{"url":"http://localhost:3000","mail":"una@h"}', '{"url":"http://localhost:3000","mail":"una@h"}'],
    ["'https://h','una@h'", "'https://h','una@h'"],
    ['["http://[::1]:80","una@h"]', '["http://[::1]:80","una@h"]'],
    ["https://h/r?access_token=abc&x=1", "https://h/r?access_token=***&x=1"],
    ["ssh://git@host/x.git", "ssh://git@host/x.git"],
    ["ssh://git:pw@host/x.git", "ssh://git@host/x.git"],
    ["git@github.com:a/b.git", "git@github.com:a/b.git"],
    ["codecommit::https://u:t@h/r", "codecommit::https://h/r"],
    ["mail una@example.com", "mail una@example.com"],
    ["/tmp/a@b/c", "/tmp/a@b/c"],
    ["file:///tmp/a@b/c", "file:///tmp/a@b/c"],
  ];
  expect(cases.map(([text]) => redactUrl(text))).toEqual(cases.map(([, redacted]) => redacted));
});

test("a URL with credentials is recognised", () => {
  expect(carriesCredentials("https://u:p@h/r")).toBe(true);
  expect(carriesCredentials("git@h:r")).toBe(false);
  expect(carriesCredentials("https://h/r")).toBe(false);
});
