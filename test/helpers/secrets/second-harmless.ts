// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such placeholders are what is tried.
/** Lists more of what only looks like a secret: fixtures of test suites, values of documentation, public halves. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });
/** Joined here, so that no scanner takes this file for a leak. */
const joined = (...parts: readonly string[]) => parts.join("");

export const SECOND_HARMLESS: readonly FileTemplate[] = [
  row("fixture of four times four", "a.test.ts", 'const apiKey = "11112222333344445555666677778888";\n'),
  row("fixture of words in hex", "b.test.ts", 'const secret = "feedfacecafebeeffeedfacecafebeef";\n'),
  row(
    "fixture, Slack numbers",
    "c.test.ts",
    `t = "${joined("xoxb-", "123456789012-1234567890123-", "abcdefghijklmnopqrstuvwx")}";\n`,
  ),
  row("fixture, GitLab", "d.test.rb", `t = "${joined("glpat-", "abcdefghij1234567890")}"\n`),
  row("fixture, SendGrid", "e.test.py", `k = "${joined("SG.", "a".repeat(22), ".", "b".repeat(43))}"\n`),
  row("fixture, OpenAI", "f.test.ts", `k = "${joined("sk-", "1234567890abcdef1234567890abcdef")}";\n`),
  row(
    "fixture, Anthropic",
    "g.test.ts",
    `k = "${joined("sk-ant-", "test-key-for-unit-tests-only-0001")}";\n`,
  ),
  row("fixture, Google", "h.test.ts", `k = "${joined("AIza", "SyDUMMYKEYFORTESTINGPURPOSESONLY1234")}";\n`),
  row("fixture, Hugging Face", "i.test.py", `t = "${joined("hf_", "abcdefghijklmnopqrstuvwxyzABCDEFGH")}"\n`),
  row(
    "fixture, AWS",
    "j.test.ts",
    `k = "${joined("AKIA", "A".repeat(16))}"; x = "${joined("AKIA", "1234567890ABCDEF")}";\n`,
  ),
  row("fixture, web token", "k.test.ts", 't = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0In0.signature";\n'),
  row(
    "fixture, mixed letters",
    "l.test.ts",
    `t = "${joined("ghp_", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789")}";\n`,
  ),
  row(
    "PyJWT documentation",
    "a.rst",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzb21lIjoicGF5bG9hZCJ9.<W43>\n",
  ),
  row(
    "RFC 6749",
    "b.rst",
    '"access_token":"2YotnFZFEjr1zCsicMWpAA",\n"refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA"\nAuthorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW\n',
  ),
  row(
    "Supabase anonymous key",
    "a.env",
    `ANON=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${btoa('{"iss":"supabase","ref":"abcd","role":"anon"}').replace(/=+$/, "")}.<W43>\n`,
  ),
  row("PostHog public", "b.env", "POSTHOG_KEY=phc_<A43>\n"),
  row(
    "public variables",
    "c.env",
    "NEXT_PUBLIC_MAP_KEY=pk.eyJ1Ijoi<A40>.<W22>\nVITE_PUBLIC_API_TOKEN=<A32>\n",
  ),
  row("Algolia search key", "a.ts", 'const searchOnlyApiKey = "<H32>";\n'),
  row(
    "CSRF",
    "a.html",
    '<meta name="csrf-token" content="<B64>=="><input type="hidden" name="authenticity_token" value="<B86>==">\n',
  ),
  row("view state", "b.html", '<input type="hidden" name="__VIEWSTATE" value="/wEPDwUK<B400>">\n'),
  row("page tokens", "a.json", '{"nextPageToken":"<A40>","continuationToken":"<B60>","syncToken":"<A24>"}\n'),
  row(
    "private key, cut by dots",
    "a.md",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygWyF8PbnGy0AHB7MaUJGmmeDK8wAAAAA...\n-----END RSA PRIVATE KEY-----\n",
  ),
  row(
    "private key, told in prose",
    "b.md",
    "The file begins with -----BEGIN OPENSSH PRIVATE KEY----- and ends with -----END OPENSSH PRIVATE KEY-----.\n",
  ),
  row(
    "private key, assembled",
    "a.py",
    'pem = "-----BEGIN PRIVATE KEY-----\\n" + base64.b64encode(der).decode() + "\\n-----END PRIVATE KEY-----"\n',
  ),
  row(
    "private key, template",
    "c.yaml",
    "key: |\n  -----BEGIN PRIVATE KEY-----\n  {{ .Values.tls.privateKeyBase64EncodedAsOneLongLine }}\n  -----END PRIVATE KEY-----\n",
  ),
  row(
    "passwords of tutorials",
    "a.yml",
    'password: password123\nadmin_password: "P@ssw0rd!"\nroot_password: "MySuperS3cretP@ssw0rd2024!"\npass: hunter2\n',
  ),
  row(
    "passwords of compose",
    "docker-compose.yml",
    "MYSQL_ROOT_PASSWORD: rootpassword\nPOSTGRES_PASSWORD: example\nMINIO_SECRET_KEY: minioadmin\n",
  ),
  row(
    "secrets in words",
    "b.yml",
    "jwt_secret: a-string-secret-at-least-256-bits-long\nsecret_key: insecure-dev-key-do-not-use-in-prod\nsession_secret: keyboard cat\n",
  ),
  row("bitnami", "c.yml", "url: amqp://user:bitnami@rabbitmq:5672\n"),
  row(
    "example users",
    "a.md",
    "ftp://anonymous:guest@ftp.acme.io https://foo:bar@example.com http://admin:admin@192.168.0.1\n",
  ),
  row(
    "compose defaults",
    "d.yml",
    "- DB_PASSWORD=${DB_PASSWORD:-postgres}\n- SECRET=${SECRET:?set SECRET in .env}\n",
  ),
  row(
    "github actions",
    "a.yml",
    "token: ${{ github.token }}\npassword: ${{ secrets.REGISTRY_PASSWORD }}\nkey: ${{ runner.os }}-node-${{ hashFiles('**/package-lock.json') }}\n",
  ),
  row(
    "azure pipelines",
    "b.yml",
    "password: $(registryPassword)\nsecretFile: $(mySecureFile.secureFilePath)\n",
  ),
  row(
    "cloud build",
    "c.yaml",
    "availableSecrets:\n  secretManager:\n  - versionName: projects/p/secrets/deploy-token/versions/3\n    env: DEPLOY_TOKEN\n",
  ),
  row(
    "doc of flags",
    "b.md",
    "--api-key string   API key for the service (default: $API_KEY)\n--token-file path  file to read the token from\n",
  ),
  row(
    "yaml schema",
    "schema.yaml",
    "api_key:\n  type: string\n  pattern: '^[A-Za-z0-9_-]{32,64}$'\n  minLength: 32\n",
  ),
  row(
    "zod schema",
    "a.ts",
    'password: z.string().min(8).regex(/^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d@$!%*?&]{8,}$/, "Password.Invalid.Format2"),\n',
  ),
  row(
    "error codes",
    "b.ts",
    'INVALID_TOKEN: "auth/invalid-token-v2", EXPIRED_KEY: "ERR_KEY_EXPIRED_401", MISSING_SECRET: "E1042_MISSING_SECRET",\n',
  ),
  row("routes", "c.ts", 'const RESET_PASSWORD = "/api/v2/users/:userId/reset-password/:resetToken";\n'),
  row("selectors", "d.ts", 'passwordInput: "#login-form > div:nth-child(2) > input.password-field-2",\n'),
  row("test ids", "e.tsx", '<input data-testid="signup-password-input-2" name="password" />\n'),
  row(
    "type names",
    "f.ts",
    "type AccessTokenResponseV2 = Awaited<ReturnType<typeof getAccessTokenV2>>; const key: keyof Settings2024 = name;\n",
  ),
  row("imports", "g.ts", 'import { secretKeyFromBase64Url2 } from "@acme/crypto-utils-v2/secret-key";\n'),
  row(
    "Objective-C selectors",
    "a.m",
    '[keychain setPassword:password forService:@"AcmeServiceKeychain2" account:userName];\n',
  ),
  row(
    "Android",
    "strings.xml",
    '<string name="password_hint">At.least.8.characters</string>\n<string name="token_error">error_token_invalid_2</string>\n',
  ),
  row("LDAP", "a.ldif", "userPassword: {SSHA}<B32>\nuserPassword:: e1NTSEF9<B44>\n"),
  row("shadow", "shadow", "root:$6$<A16>$<A86>:19000:0:99999:7:::\n"),
  row("SCRAM", "a.sql", "CREATE ROLE x PASSWORD 'SCRAM-SHA-256$4096:<B22>==$<B43>=:<B43>=';\n"),
  row("md5 of postgres", "b.sql", "ALTER ROLE x PASSWORD 'md5<H32>';\n"),
  row(
    "apt key",
    "a.list",
    "deb [signed-by=/usr/share/keyrings/acme-archive-keyring-2024.gpg] https://apt.acme.io stable main\n",
  ),
  row("gpg id", "a.md", "gpg --recv-keys <X40>\nKey fingerprint = 4A1B 2C3D 5E6F\n"),
  row("ssh fingerprint", "b.log", "SHA256:<B43> una@acme (ED25519)\n"),
  row("TLS pins", "a.conf", 'pin-sha256="<B43>="; max-age=1000\n'),
  row("docker content", "manifest.json", '{"digest":"sha256:<H64>","keyid":"SHA256:<B43>"}\n'),
  row("npm signatures", "b.json", '{"signatures":[{"keyid":"SHA256:<B43>","sig":"MEUCIQ<B86>"}]}\n'),
  row("trace ids", "a.log", "trace_id=<H32> span_id=<H16> request_key=<uuid>\n"),
  row("S3 keys", "c.json", '{"Key":"uploads/2024/10/31/report-final-v2.pdf","ETag":"<H32>"}\n'),
  row("Kafka", "d.properties", "key.serializer=org.apache.kafka.common.serialization.StringSerializer\n"),
  row(
    "Redis keys",
    "h.ts",
    'const key = `session:${id}:token:v2`; await redis.get("user:1001:refresh-token:v3");\n',
  ),
  row(
    "Elm and CSS tokens",
    "b.css",
    ".token.punctuation{} .token.attr-value-2{color:#905} --sk-color-primary-500:#1a2b3c;\n",
  ),
  row("spdx", "a.txt", "SPDX-License-Identifier: Apache-2.0 key=value token=1 secret=2\n"),
  row(
    "SQL columns",
    "c.sql",
    "CREATE TABLE t (api_key varchar(64) NOT NULL, password_hash bytea, token_v2 text DEFAULT gen_random_uuid());\n",
  ),
  row(
    "COBOL-like constants",
    "a.c",
    '#define SECRET_KEY_LENGTH 32\n#define TOKEN_PREFIX "acme_live_v2_"\nstatic const uint8_t key[] = {0x00,0x11,0x22,0x33};\n',
  ),
  row(
    "test vectors",
    "vectors.json",
    '{"key":"000102030405060708090a0b0c0d0e0f","nonce":"000000000000004a00000000","msg":"<H64>"}\n',
  ),
  row("base64 fixture", "d.json", '{"payload":"<B200>","avatar":"<B120>=="}\n'),
  row("wasm", "a.js", 'const wasm = "AGFzbQEAAAAB<B300>";\n'),
  row("protobuf", "a.pb.go", 'var file_desc = "\\n\\x0btoken.proto\\x12\\x04acme";\n'),
  row(
    "video ids",
    "a.md",
    "https://www.youtube.com/watch?v=<W11> https://docs.google.com/document/d/<W44>/edit\n",
  ),
  row("shortened links", "b.md", "https://api.acme.io/v1/items?cursor=<A40>&sort_key=created_at\n"),
  row(
    "notebook ids",
    "e.ipynb",
    '{"cells":[{"cell_type":"markdown","id":"<H8>-<H4>","metadata":{"id":"<A12>"},"source":["Set `OPENAI_API_KEY` to `sk-...` first."]}]}\n',
  ),
  row(
    "colab form",
    "f.ipynb",
    '{"cells":[{"source":["api_key = \\"\\" #@param {type:\\"string\\"}\\n","token = userdata.get(\'HF_TOKEN\')\\n"]}]}\n',
  ),
  row(
    "minified locale",
    "d.min.js",
    '!function(){var e={password_mismatch:"Passwords.do.not.match2",tokenLabel:"Access-Token-2"};t.exports=e}();\n',
  ),
  row("svg", "a.svg", '<path d="M12.5 3.2c-1.1 0-2 .9-2 2v13.6c0 1.1.9 2 2 2h9.1c1.1 0 2-.9 2-2V5.2z"/>\n'),
  row(
    "UTF-8 prose",
    "c.md",
    "パスワード: あなたのパスワード。Schlüssel: siehe Tresor. clé: voir le coffre-fort n°12345678.\n",
  ),
];
