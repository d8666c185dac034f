/** Lists files that a sweep over published lists (vendors A to L) showed to be missed, and harmless twins. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

export const SWEPT_TEMPLATES: readonly FileTemplate[] = [
  row("key of Deepgram", ".env", "DEEPGRAM_KEY=<H40>\n"),
  row("key of Algolia", "prod.env", 'ALGOLIA_KEY="<H32>"\n'),
  row("key of Geoapify in Python", "a.py", 'GEOAPIFY_KEY = "<H32>"\n'),
  row("key of Cohere", "compose.yaml", "environment:\n  COHERE_KEY: <A40>\n"),
  row("key of fal", ".env", "FAL_KEY=<uuid>:<H32>\n"),
  row("admin key of Ghost", "a.json", '{"ghost": {"adminApiKey": "<H24>:<H64>"}}\n'),
  row("older token of Figma", ".env", "FIGMA_TOKEN=<D6>-<uuid>\n"),
  row("token of Avaza", ".env", "AVAZA_TOKEN=<D6>-<H40>\n"),
  row("key of DeepL", "a.json", '{"deeplAuthKey": "<uuid>"}\n'),
  row("token of Logz.io", "logs.yaml", "logzio_token: <uuid>\n"),
  row("key of Bugsnag", "app.ini", "[bugsnag]\nbugsnag_key_secret = <uuid>\n"),
  row("app key as UUID", ".env", "INSTANA_APP_KEY=<uuid>\n"),
  row("token in a header of a vendor", "a.sh", 'curl -H "X-Fibery-Token: <uuid>" https://x.io\n'),
  row("short key in a header", "a.sh", 'curl -H "Authorization: Bearer <H24>" https://x.io\n'),
  row("key of Ipstack in an address", "a.js", 'fetch("https://api.ipstack.com/check?access_key=<H32>")\n'),
  row("key of OpenWeather in an address", "a.py", 'get("https://api.weather.io/2.5?q=Kyiv&appid=<H32>")\n'),
  row("key in an address", "a.rb", 'get("https://maps.acme.io/v1?q=1&key=<A32>")\n'),
  row("apikey in an address", "a.go", 'http.Get("https://api.acme.io/v1?apikey=<H40>")\n'),
  row("creds", "ci.yml", "env:\n  ACME_CREDS: <A40>\n"),
  row("personal token by its name", ".env", "BITBUCKET_PAT=<B44>\n"),
  row("auth by its name", ".env", "COMPOSER_AUTH=<A40>\n"),
  row("live token of an unknown service", "a.ts", 'start("acme_live_<H40>");\n'),
  row("token that looks like words", "a.env", "FINNHUB_TOKEN=t1re4st6ine2and9or<L2>\n"),
  row("web token behind a prefix", "a.ts", 'const x = "acme_<jwt>";\n'),
];

export const SWEPT_HARMLESS: readonly FileTemplate[] = [
  row(
    "fingerprints of packages",
    "Dockerfile",
    "FROM x\nENV GPG_KEY=<X40>\nENV RPM_KEY=<X40>\nENV NODE_KEY=<X40>\n",
  ),
  row(
    "keys of caches and tables",
    "ci.yml",
    "env:\n  CACHE_KEY: <H64>\n  SORT_KEY: <H32>\n  PARTITION_KEY: <A32>\n",
  ),
  row(
    "public keys of vendors",
    ".env",
    "NEXT_PUBLIC_ACME_KEY=<A32>\nACME_PUBLISHABLE_KEY=<H32>\nRECAPTCHA_SITE_KEY=6L<W38>\n",
  ),
  row(
    "constants of names",
    "a.ts",
    'export const STATE_KEY = "app-state-v2";\nconst QUERY_KEY = "users/list/page2";\nconst MAC_KEY = "ISO_9797_1_MAC_KEY";\n',
  ),
  row("numbered words", "a.py", 'key="value3Index1,value3Index2"\ntoken = "step1-step2-step3-step4-step5"\n'),
  row(
    "address of documentation",
    "a.md",
    "GET https://example.com/v1?key=<W48>\nGET https://api.example.com?api_key=YOUR_API_KEY&appid={appid}\n",
  ),
  row(
    "keys of translations in addresses",
    "a.ts",
    'open("/settings?key=account.password.reset&tab=2");\nload("/i18n?key=button_save_changes_and_continue");\n',
  ),
  row("cursors in addresses", "a.md", "GET /v1/items?page=2&sort_key=created_at&partition=eu-west-1\n"),
  row(
    "placeholders of vendors",
    ".env.example",
    "DEEPGRAM_KEY=your_deepgram_key_here\nFAL_KEY=xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nCOHERE_KEY=<your key>\nALGOLIA_KEY=0123456789abcdef0123456789abcdef\n",
  ),
  row(
    "names that begin as tokens do",
    "a.py",
    "sk_learn_model_selection_grid = 1\napp-sidebar-navigation-menu-x\nlive_streaming_session_manager_v2()\ntest_user_can_create_account_2()\nat_least_one_of_these_values_set\n",
  ),
  row(
    "identifiers that begin as tokens do",
    "a.css",
    ".app-NavigationSidebarMenuItem{}\n.web_container_of_the_main_page{}\n.pat_background_of_the_header_image{}\n",
  ),
  row(
    "ids of objects",
    "a.json",
    '{"id":"<H24>","etag":"<H32>","commit":"<H40>","trace":"<H32>-<H16>-01","image":"sha256:<H64>"}\n',
  ),
  row(
    "published false positives",
    "a.txt",
    "DATABRICKS_TOKEN=dapi123456789012345678a9bc01234defg5\nkey = test_v1_short\ncfxk_short\ngs_appsweep_short\nLARK_APP_ID=cli_short\n",
  ),
];
