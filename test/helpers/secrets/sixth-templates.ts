/** Lists what three corpora by other authors showed to be missing, and its harmless twins. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

export const SIXTH_TEMPLATES: readonly FileTemplate[] = [
  row("key of a vendor under a dotted name", "application-prod.properties", "heroku.api.key=<uuid>\n"),
  row("hexadecimal under a dotted name", "gradle.properties", "datadog.api.key=<H32>\n"),
  row("token behind its vendor", "TODO.txt", "Sendbird token: <H40>\n"),
  row("token behind its vendor in a log", "debug.log", "DEBUG kucoin token=<uuid> scope=write\n"),
  row("Azure DevOps token under no name", "docs/api.md", "curl --data 'ref=<A52>JQQJ99BD<A16>AZDO<A4>'\n"),
  row(
    "minisign secret key",
    "release/minisign.key",
    "untrusted comment: minisign encrypted secret key\nRW<B210>\n",
  ),
  row("Consul token", "consul.json", '{"acl":{"tokens":{"agent":"<uuid>","initial_management":"<uuid>"}}}'),
  row("Erlang cookie", "scripts/rabbit.sh", "export RABBITMQ_ERLANG_COOKIE=<U20>\n"),
  row("token that a patch takes out", "a.patch", "@@ -1,2 +1,2 @@\n url https://x.io\n-figd_<W40>\n+vault\n"),
  row("TruffleHog secret", "client.go", 'var c = New("thog.acme.net", "thog-secret-<H32>")\n'),
  row("Flexport token", "sync.rake", 'Client.new("https://x.flexport.com", "shltm_<W42>")\n'),
  row(
    "Azure storage key of Spark",
    "read.py",
    "spark.conf.set(\n  'fs.azure.account.key.acme.dfs.core.windows.net',\n  '<B86>==')\n",
  ),
  row("Azure Functions key", "api.ts", "fetch('https://acme.azurewebsites.net/api/x?code=<W54>==')\n"),
  row(
    "password of words and signs",
    "_netrc",
    "machine x.acme.io\nlogin svc\npassword Thicket<D4>*DO<T3>obk\n",
  ),
  row(
    "password of a login in SQL",
    "Logins.sql",
    "CREATE LOGIN [svc] WITH PASSWORD = N'F4lcon_anch<D3>!';\n",
  ),
  row("Fernet key", "airflow.cfg", "[core]\nfernet_key = <B43>=\n"),
  row("app password of a mailbox", "alerts.py", 's.login("a.b@gmail.com", "<l4> <l4> <l4> <l4>")\n'),
  row(
    "password of an unattended installation",
    "autounattend.xml",
    "<AdministratorPassword>\n <Value>Walnut<D4>?P<T4>9k</Value>\n</AdministratorPassword>\n",
  ),
  row("password in a sentence", "onboarding.md", "Log in with user `una`, password `Cinder%Gravel<D2>`.\n"),
  row("session cookie", "scrape.py", 'requests.get(url, cookies={"_gitlab_session": "<H32>"})\n'),
  row(
    "SNMP password",
    "snmpd.conf",
    'createUser monitor SHA "Anchor<D4>!JUNI<T3>7" AES "Saddle<D4>!LA<T4>"\n',
  ),
];

export const SIXTH_HARMLESS: readonly FileTemplate[] = [
  row(
    "class names of a style sheet",
    "App.module.css.json",
    '{"token":"token_-<A4>","keyIcon":"keyIcon_<A5>"}',
  ),
  row("message that is described", "gen/auth_pb.js", 'export const file_auth = fileDesc("<B400>");\n'),
  row("public key of minisign", "minisign.pub", "untrusted comment: minisign public key\nRW<B54>\n"),
  row("agent of a node", "nodes.json", '{"agent": "curl/8.4.0", "replication": "async", "id": "<uuid>"}'),
  row("patch that takes a name out", "b.patch", "@@ -1,2 +1,2 @@\n-sk_live_key_name\n+sk_live_other_name\n"),
  row("code of a page", "shop.ts", "fetch('https://acme.azurewebsites.net/api/x?code=SPRING-2024')\n"),
  row("password of a form", "form.md", "Type your password `********` and the code `123 456`.\n"),
  row("words under a name", "text.py", 'send("a.b@gmail.com", "this mail that they sent")\n'),
  row("session of nobody", "client.py", 'cookies={"sessionid": "your-session-id", "_gitlab_session": ""}\n'),
  row("login in SQL with a variable", "b.sql", "CREATE LOGIN [svc] WITH PASSWORD = N'$(LoginPassword)';\n"),
  row("dotted names of code", "a.properties", "cache.key=user-profile-v2\nmessages.token=abc.def.label\n"),
];
