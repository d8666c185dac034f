/** Lists tokens of published lists (vendors M to Z) that the corpus did not hold: name and template. */
import type { FileTemplate } from "./context-templates.ts";

export const VENDOR_TOKENS = `
MailerSend SMTP|mssp.<A7>.<L16>.<A7>
Mercury|secret-token:mercury_production_rma_<A44>_yrucrem
Mergify|mka_<W43>
Metabase|mb_<B44>=
Mezmo|sts_<H32>
Mintlify|mint_<A36>
Miro|eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_<W27>
Mixedbread|mxb_<A32>
Modal|as-<A22>
Modrinth|mrp_<A60>
Mollie access|access_<A40>
Momento|eyJlbmRwb2ludCI6<B120>
Mem0|m0-<A40>
n8n|n8n_api_<H80>
Naver Cloud key|ncp_iam_BPAMKR<A14>
Naver Cloud secret|ncp_iam_BPKMKR<A28>
NetBird|nbp_<A36>
New Relic license of Europe|eu01xx<H30>NRAL
Nomic|nk-<W43>
Novita|sk_<W43>
Nylas|nyk_v0_<A64>
OpenMeter|om_<A32>.<A43>
Orbit|obu_<A40>
Outline|ol_api_<A38>
Packagist|packagist_ort_<H68>
PagerDuty of Europe|pdeus+<W20>
Pagar.me|ak_live_<A30>
PDFShift|sk_<H40>
Permit|permit_key_<A80>
Phylum|ph0_<W43>
Planning Center|pco_pat_<H72>
Polar client|polar_cs_<A43>
Polar customer|polar_cst_<A43>
Polar OAuth|polar_at_o_<A43>
Polar webhook|polar_whs_<A32>
Porkbun|pk1_<H64>
Porkbun secret|sk1_<H64>
PostHog OAuth|pha_<A43>
PostHog refresh|phr_<A43>
PromptLayer|pl_<H32>
Proxmox|PVEAPIToken=root@pam!ci=<uuid>
Pushbullet|o.<A32>
Pydantic Logfire|pylf_v1_us_<A43>
QuickNode|https://red-cool-sun.quiknode.pro/<H40>/
Rainforest|sbx_apikey_<H64>
Ramp|ramp_sec_<A48>
Ramp business|ramp_business_tok_<A48>
Raycast|rca_<H64>
Recharge|sk_1x1_<H64>
redirect.pizza|rpa_<A32>
Retool|retool_01<L50>
Riot|RGAPI-<uuid>
Robinhood|rh-api-<uuid>
Runway|key_<H128>
Salad|salad_cloud_<A5>_<A60>
Salesforce refresh|5Aep861<A40>.<A39>
Sanity|sk<A80>
Scrapfly|scp-live-<H32>
Seam|seam_<A8>_<A32>
Shopee|shpk<A60>
Shopify merchant|shpmt_<H32>
Shortcut|sct_rw_<L60>
Shutterstock|v2/<A388>
SignalWire|PT<H48>
Sindri|sindri_<A32>
Socket|sktsec_<A44>_api
Sourcegraph instance|sgph_<H16>_<H40>
Square sandbox|sandbox-sq0csb-<W43>
Steel|ste-<A60>
Sumsub|prd:<A24>.<A32>
Tableau|<B22>==:<A32>
Tally|tly-<A32>
Tencent international|IKID<A32>
Tigris|tsec_<A60>
Tines|https://acme.tines.com/webhook/<H32>/<H32>
Toolhouse|th-<W43>
Trello|ATTA<H64><X8>
Trieve|tr-<A32>
Turbopuffer|tpuf_<A32>
Twelve Labs|tlk_<U28>
Unleash|default:production.<H56>
UploadThing|eyJhcGlLZXkiOi<B90>
UptimeRobot|u<D7>-<H24>
Vantage|vntg_tkn_<H40>
Vectara|zut_<W43>
Venice|VENICE_INFERENCE_KEY_<A43>
Vespa|vespa_cloud_<A36>
VK|vk1.a.<W180>
Volcengine model|ark-<uuid>-<H5>
WakaTime app|waka_sec_<A80>
Warp|wk-1.<H64>
Weglot|wg_<H32>
Whop|apik_<A40>
WooCommerce|ck_<H40>
WSO2 Choreo|chp_eyJ<A100>
WunderGraph|cosmo_<H32>
Yandex captcha|ysc2_<A48>
Yandex cookie|c1.<W80>.<W86>
Yandex dictionary|dict.1.1.20<D6>T<D6>Z.<H16>.<H40>
YooKassa|test_<W43>
You.com|ydc-sk-<H16>-<A32>-<H8>
YouTrack|perm:<A12>=.<A8>=.<A30>
ZenHub|zh_<H64>
Zep|z_<jwt>
`;

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

/** What only its name, or a header, says that it is a key. */
export const VENDOR_FILES: readonly FileTemplate[] = [
  row("OANDA token", ".env", "A=1\nOANDA_TOKEN=<H32>-<H32>\n"),
  row("Percy token", "ci.yml", "env:\n  percy_token: web_<H64>\n"),
  row("Twist token", "bot.json", '{"twistToken":"oauth2:<H40>"}\n'),
  row("Shortcut key", "a.ts", 'const shortcutApiToken = "<uuid>";\n'),
  row("Sauce Labs key", "wdio.conf.js", 'exports.config = { user: "acme", sauceAccessKey: "<uuid>" };\n'),
  row("Splunk collector", "fluent.yaml", "output:\n  splunk_hec_token: <uuid>\n"),
  row("Plaid secret in a header", "a.sh", 'curl -H "Authorization: Bearer <H30>" https://api.acme.io/x\n'),
  row(
    "Mailgun key in a header",
    "a.sh",
    'curl -H "Authorization: Bearer <H32>-<H8>-<H8>" https://api.acme.io/x\n',
  ),
  row(
    "subscription key in a header",
    "a.sh",
    'curl -H "Ocp-Apim-Subscription-Key: <H32>" https://api.acme.io/x\n',
  ),
  row("scheme of its own", "a.sh", 'curl -H "Authorization: AccessKey <A25>" https://api.acme.io/x\n'),
  row("scheme with a start", "a.sh", 'curl -H "Authorization: OAuth oauth2:<H40>" https://api.acme.io/x\n'),
  row("key of the weather", "a.sh", 'curl "https://api.acme.io/weather?q=x&appid=<H32>"\n'),
  row("ngrok", "setup.sh", "ngrok config add-authtoken 2<A26>_<A21>\n"),
  row("Snyk", "ci.sh", "snyk auth <uuid>\nsnyk test\n"),
  row("Netlify", "ci.sh", "netlify deploy --auth <W43> --prod\n"),
  row("npm", "ci.sh", "npm config set //registry.npmjs.org/:_authToken <uuid>\n"),
  row("Sonar", "ci.sh", "mvn sonar:sonar -Dsonar.login=<H40>\n"),
  row("Railway", "ci.sh", "railway login --token <uuid>\n"),
  row("Pulumi", "ci.sh", "pulumi config set --secret dbPassword <A20>\n"),
  row("Vault login", "ci.sh", "vault login <A24>\n"),
  row("Apple", "ci.sh", 'xcrun altool --upload-app -u a@b.io -p "xkqv-bwzj-mfhp-tgcd"\n'),
  row("Splunk", "ci.sh", "splunk add forward-server -auth admin:<A16>\n"),
  row("RabbitMQ", "ci.sh", "rabbitmqctl add_user app <A20>\n"),
  row("Samba", "ci.sh", "smbclient //files/share -U 'acme%<A14>'\n"),
  row("Plivo", "a.py", 'client = plivo.RestClient("MA<U18>", "<A40>")\n'),
  row("Twilio", "a.js", "const client = twilio('AC<H32>', '<H32>');\n"),
  row("Twilio of Ruby", "a.rb", "client = Twilio::REST::Client.new('AC<H32>', '<H32>')\n"),
  row("Postmark", "a.js", 'const client = new postmark.ServerClient("<uuid>");\n'),
  row("Tweepy", "a.py", 'auth = tweepy.OAuthHandler("<A25>", "<A50>")\n'),
  row("Mailgun", "a.py", 'requests.get(url, auth=("api", "<H32>-<H8>-<H8>"))\n'),
  row("consumer key of OVH", ".env", "A=1\nOVH_CONSUMER_KEY=<A32>\n"),
  row("Twilio of an environment", ".env", "A=1\nTWILIO_AUTH=<H32>\n"),
  row("short hexadecimal password", ".env", "A=1\nMAILTRAP_PASS=<H14>\n"),
];
