// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such placeholders are what is tried.
/** Lists secrets that only show when a text is read as its encoding says, and their harmless twins. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

export const ENCODED_TEMPLATES: readonly FileTemplate[] = [
  row("colours and =", "build.log", "\u001b[36mAPI_TOKEN\u001b[0m=\u001b[32m<A32>\u001b[0m\n"),
  row("colours and :", "build.log", "\u001b[1;34mpassword\u001b[0m: \u001b[33m<A16>\u001b[39m\n"),
  row(
    "colours in JSON",
    "ci.log",
    '\u001b[34;1m"client_secret"\u001b[0m\u001b[1m:\u001b[0m \u001b[32m"<A32>"\u001b[0m,\n',
  ),
  row("colours as they are typed", "ci.log", "\\u001b[36mAPI_TOKEN\\u001b[0m=\\u001b[32m<A40>\\u001b[0m\\n"),
  row(
    "Azure storage in XML",
    "app.config",
    '<add value="DefaultEndpointsProtocol&#61;https;AccountName&#61;corp;AccountKey&#61;<B86>&#61;&#61;"/>\n',
  ),
  row(
    "SAS in XML",
    "a.xml",
    "<u>https://corp.blob.core.windows.net/c/f?sv=2022-11-02&amp;se=2030-01-01&amp;sr=b&amp;sig=<A42>%3D</u>\n",
  ),
  row(
    "JDBC in XML",
    "a.xml",
    "<url>jdbc:mysql://db.corp.io/x?user=app&amp;password=<A18>&amp;ssl=true</url>\n",
  ),
  row(
    "entities in hexadecimal",
    "a.html",
    "<p data-o='{&#x22;clientSecret&#x22;&#x3a;&#x22;<A32>&#x22;}'>\n",
  ),
  row(
    "encoded address in a query",
    "a.log",
    "GET /r?next=https%3A%2F%2Fx.io%2F%3Faccess_token%3D<A40>%26a%3D1\n",
  ),
  row("encoded JSON in a form", "a.log", "data=%7B%22password%22%3A%22<A20>%22%7D\n"),
  row("encoded address of a database", "a.env", "U=postgres%3A%2F%2Fapp%3A<A20>%40db.corp.io%3A5432%2Fx\n"),
  row("JSON three times", "a.json", '"{\\"b\\":\\"{\\\\\\"client_secret\\\\\\":\\\\\\"<A32>\\\\\\"}\\"}"\n'),
  row("JSON with escaped slashes", "a.json", '{"u":"postgres:\\/\\/app:<A20>@db.corp.io\\/x"}\n'),
  row(
    "JSON with escaped signs",
    "a.json",
    '{"u":"Server\\u003dsql1;User Id\\u003dsa;Password\\u003d<A16>;"}\n',
  ),
  row(
    "webhook in a Kubernetes secret",
    "s.yaml",
    "kind: Secret\ndata:\n  hook: @base64(https://hooks.slack.com/services/T<U10>/B<U10>/<A24>)@\n",
  ),
  row(
    "address in a Kubernetes secret",
    "s.yaml",
    "kind: Secret\ndata:\n  url: @base64(postgres://app:<A18>@db.corp.io/x)@\n",
  ),
  row(
    "file in a Kubernetes secret",
    "s.json",
    '{"kind":"Secret","data":{"env":"@base64(A=1\nDB_PASSWORD=<A18>\n)@"}}\n',
  ),
  row("token in base64", "a.sh", "echo @base64(ghp_<A36>)@ | base64 -d\n"),
  row("token in two strings of JavaScript", "a.js", 'const k = "sk_live_<A10>" + "<A14>";\n'),
  row("token in two strings of a line each", "A.java", 'String k = "ghp_<A16>"\n    + "<A20>";\n'),
  row("token in two strings of Python", "a.py", 'K = ("glpat-<A8>"\n     "<A12>")\n'),
  row("token in two strings of PHP", "a.php", "$k = 'npm_<A16>' . '<A20>';\n"),
  row("token in a template over lines", "a.js", "const k = `AKIA<b6>\\\n<b10>`;\n"),
  row("token that goes on in the next line", "a.sh", "TOKEN=hf_<T14>\\\n<T20>\nrun\n"),
  row(
    "token in two strings of a notebook",
    "a.ipynb",
    '{"source":["k = \\"AIza<W15>\\" + \\"<W20>\\"\\n"]}\n',
  ),
];

export const ENCODED_HARMLESS: readonly FileTemplate[] = [
  row(
    "words in colours",
    "a.log",
    "\u001b[32mtoken\u001b[0m: \u001b[33mrefreshed successfully\u001b[0m\n\u001b[36mpassword\u001b[0m=\u001b[2m********\u001b[0m\n\u001b[1mAPI_KEY\u001b[0m=${API_KEY}\n",
  ),
  row(
    "entities around placeholders",
    "a.html",
    "<p>password&#61;your-password &quot;token&quot;:&quot;&lt;your token&gt;&quot;</p>\n<a href='https://x.io/?a=1&amp;token=example&amp;b=2'>x</a>\n",
  ),
  row(
    "encoded addresses",
    "a.log",
    "GET /x?next=https%3A%2F%2Fx.io%2Fpassword%3Freset%3Dtrue%26token%3D%7Btoken%7D\nurl(data:image/svg+xml,%3Csvg viewBox=%270 0 16 16%27%3E%3Cpath d=%27M7 9.5l2 2%27/%3E%3C/svg%3E)\n",
  ),
  row(
    "harmless values of a Kubernetes secret",
    "s.yaml",
    "kind: Secret\ndata:\n  user: @base64(admin)@\n  host: @base64(db.prod.svc.cluster.local)@\n  password: @base64(changeme)@\n",
  ),
  row(
    "strings in pieces",
    "a.js",
    'const a = "sk_live_" + key;\nconst b = "ghp_" + "x".repeat(36);\nconst d = "xoxb-" + "your-" + "token";\nthrow new Error("the password " + "is wrong for 2 of 3 users");\n',
  ),
  row("text in base64", "a.txt", "@base64(The token is read from the environment of the server.)@\n"),
  row(
    "algorithms in JSON",
    "a.json",
    '{"keyDetails": "PKIX_ECDSA_P256_SHA_256", "keyType": "PKCS1_RSA_2048_SHA256"}\n',
  ),
];
