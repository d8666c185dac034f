/** Lists the harmless twins of what a blind corpus showed to be missing. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

export const FOURTH_HARMLESS: readonly FileTemplate[] = [
  row("addresses of accounts", "hardhat.config.js", 'accounts: ["0x<H40>"]\nprivateKeys: []\n'),
  row("field k", "k.json", '{"k":"<W40>","v":1}\n'),
  row("symmetric key without one", "jwk.json", '{"kty":"oct","k":"<key>","alg":"HS256"}\n'),
  row(
    "logins",
    "l.sh",
    "npm login --registry=https://registry.acme-internal-packages.example.org\naws ecr get-login-password --region eu-west-1 | docker login --username AWS --password-stdin\n",
  ),
  row(
    "sentence about a login",
    "l.md",
    "After login redirect-to-the-dashboard-of-your-organization opens.\n",
  ),
  row(
    "clients",
    "c.js",
    'const c = new Client("https://api.acme-internal-services.example.org/v1/items");\nconst q = new QueryClient("acme-frontend-production-query-client-name");\n',
  ),
  row("phrase of tests", "m.env", 'MNEMONIC="test test test test test test test test test test test junk"\n'),
  row(
    "phrase of documentation",
    "m.env",
    'MNEMONIC="abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"\n',
  ),
  row(
    "sentence about phrases",
    "p.txt",
    "The seed phrase: write down twelve words and never share them with anyone at all, ever, please\n",
  ),
  row("result of something else", "r.json", '{"result":"<A20>","ok":true}\n'),
  row(
    "properties of C#",
    "P.cs",
    'public string ApiSecretName { get; set; } = "acme-production-secret";\npublic string PasswordLabel { get; set; } = "Enter your password";\n',
  ),
  row(
    "formats in words",
    "d.md",
    "`da2-xxxxxxxxxxxxxxxxxxxxxxxxxx` is an AppSync key; `pk_12345678_ABCDEFGHIJKLMNOPQRSTUVWXYZ123456` one of ClickUp.\n",
  ),
  row(
    "publishable key",
    "s.js",
    'createClient(url, "sb_publishable_<A22>_<A8>");\nStripe("pk_live_<A24>");\n',
  ),
  row("public key in a file", "wg.key.pub", "<B43>=\n"),
  row("example of a key file", "config/master.key.example", "<your master key>\n"),
  row("encrypted secrets of Rails", "config/secrets.yml.enc", "<B200>--<B16>--<B22>==\n"),
  row("encrypted by a service for keys", "kms.yml", "password: AQICAHh<A200>\ntoken: CiQA<A160>\n"),
  row("token file to do", "token.txt", "TODO\n"),
  row("password file of tutorials", "password.txt", "changeme\n"),
  row("sum beside a key", "dist/app.key.sha256", "<H64>\n"),
  row("words in a token file", "i18n/token.txt", "Please paste your token\n"),
  row("name in a secret file", "k8s/secret-name.txt", "production-database-credentials\n"),
  row("sums of Terraform", "a.tf", 'token = var.linode_token\nsource_hash = "<H64>"\netag = "<H32>"\n'),
  row("encrypted by dotenvx", ".env", 'DOTENV_PUBLIC_KEY="03<H64>"\nAPI_KEY="encrypted:<B160>"\n'),
  row(
    "identifiers with such parts",
    "a.py",
    "def user_api_key_header_from_request_with_default_value(): pass\nx_token_v2_2024_request_handler_A1 = 1\n",
  ),
  row(
    "class names of modules",
    "a.css",
    ".Button_api_key__3kQ9x{color:red}.form-api-input-wrapper-large-2{margin:0}\n",
  ),
  row(
    "names in code above a call",
    "imap.py",
    "self.user, self.password = user, password\nreturn self.authenticate('CRAM-MD5', self._CRAM_MD5_AUTH)\n",
  ),
  row("empty table", "users.md", "| user | password |\n|---|---|\n| admin | ask the owner |\n"),
  row(
    "table of settings",
    "t.md",
    "| name | token | default |\n|---|---|---|\n| url | `auth_token_of_service` | none |\n",
  ),
  row(
    "ports and hosts",
    "hosts.txt",
    "[::1]:587 mail.corp.io:smtp\n[2001:db8::1]:25 relay: accepted-for-delivery\n",
  ),
  row("deployments by colons", "d.yml", "target: prod:happy-otter|main\nservice: acme-graph:current\n"),
];
