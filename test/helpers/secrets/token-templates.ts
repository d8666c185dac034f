/** Lists tokens with a fixed prefix as secretlint, gitleaks, TruffleHog, GitLab and GitHub publish them: a name and a template. */

import { SWEPT_TOKENS } from "./swept-tokens.ts";
import { VENDOR_TOKENS } from "./vendor-templates.ts";

const LIST = `
GitHub personal|ghp_<A36>
GitHub OAuth|gho_<A36>
GitHub user to server|ghu_<A36>
GitHub server to server|ghs_<A36>
GitHub refresh|ghr_<A76>
GitHub fine-grained|github_pat_11<U20>_<A59>
GitLab personal|glpat-<W19>e
GitLab personal routable|glpat-<A27>.01.<L9>
GitLab deploy|gldt-<A20>
GitLab runner|glrt-<W19>k
GitLab runner routable|glrt-t1_<A27>.01.<L9>
GitLab runner registration|GR1348941<W20>
GitLab OAuth app|gloas-<H64>
GitLab CI job|glcbt-64_<A20>
GitLab trigger|glptt-<H40>
GitLab feed|glft-<A20>
GitLab SCIM|glsoat-<A20>
GitLab mail|glimt-<A25>
GitLab agent|glagent-<A50>
GitLab feature flags|glffct-<A20>
GitLab workspace|glwt-<A20>
Bitbucket app password|ATBB<A32>
Bitbucket repository token|ATCTT3xFfGN0<W180>=<X8>
Atlassian API|ATATT3xFfGF0<W180>=<X8>
Azure DevOps|<A76>AZDO<A4>
Sourcegraph|sgp_<H16>_<H40>
Sourcegraph older|sgp_<H40>
npm|npm_<A36>
PyPI|pypi-AgEIcHlwaS5vcmc<W150>
RubyGems|rubygems_<H48>
crates.io|cio<A32>
NuGet|oy2<L43>
Clojars|CLOJARS_<H60>
Docker personal|dckr_pat_<W26>x
Docker organization|dckr_oat_<W31>x
JFrog key|AKCp8<A68>
JFrog reference|cmVmdGtuOj<A54>
CircleCI personal|CCIPAT_<A22>_<H40>
CircleCI project|CCIPRJ_<A22>_<H40>
Buildkite|bkua_<H40>
Harness|pat.<W22>.<H24>.<A20>
Octopus|API-<U26>
Pulumi|pul-<H40>
Terraform Cloud|<A14>.atlasv1.<W67>
Doppler personal|dp.pt.<A43>
Doppler service|dp.st.prd.<A43>
1Password service account|ops_eyJ<B300>
1Password secret key|A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>
Vault service|hvs.CAESI<W90>
Vault batch|hvb.AAAAAQ<W140>
Bitwarden|0.<uuid>.<A30>:<B22>==
SonarQube user|squ_<H40>
SonarQube project|sqp_<H40>
LaunchDarkly API|api-<uuid>
LaunchDarkly SDK|sdk-<uuid>
Prefect|pnu_<A36>
Postman|PMAK-<H24>-<H34>
ReadMe|rdme_<L70>
Figma|figd_<W40>
Linear|lin_api_<A40>
Notion|ntn_<D11><A35>
Notion older|secret_<A43>
Asana|1/12<D14>:<H32>
Airtable|pat<A14>.<H64>
Typeform|tfp_<W44>_3p<A12>
Contentful|CFPAT-<W43>
Frame.io|fio-u-<W64>
AWS key id|AKIA<b16>
AWS session key id|ASIA<b16>
AWS Bedrock|ABSKQmVkcm9ja0FQSUtleS<B110>
Amazon MWS|amzn.mws.<uuid>
Amazon OAuth|amzn1.oa2-cs.v1.<H64>
Google API|AIzaSy<W33>
Google access|ya29.a0<W160>
Google refresh|1//0<W98>
Google client secret|GOCSPX-<W28>
Firebase server|AAAA<W7>:APA91b<W134>
Azure client secret|<A3>8Q~<W34>
Azure storage|<B76>+ASt<B5>A==
Azure Cosmos DB|<B76>ACDb<B5>Q==
Azure Service Bus|<B33>+ASb<B5>E=
Azure Redis|<B33>AzCa<B5>A=
Azure container registry|<B42>+ACRA<B5>
Azure Functions|<W44>AzFu<A5>Q==
Azure AI|<A52>JQQJ99BCAC<A22>
Alibaba|LTAI5t<A18>
Tencent|AKID<A32>
Yandex Cloud|AQVN<W36>
DigitalOcean personal|dop_v1_<H64>
DigitalOcean OAuth|doo_v1_<H64>
DigitalOcean refresh|dor_v1_<H64>
Fly.io|fo1_<W43>
Fly.io macaroon|fm2_lJPECAAAAAAA<B160>
Heroku|HRKU-AA<W58>
Cloudflare user|cfut_<A40><H8>
Cloudflare account|cfat_<A40><H8>
Cloudflare origin CA|v1.0-<H24>-<H146>
Vercel|vcp_<A56>
Vercel Blob|vercel_blob_rw_<A16>_<A30>
Netlify|nfp_<A36>
Render|rnd_<A32>
Tailscale auth|tskey-auth-<A11>CNTRL-<A32>
Tailscale API|tskey-api-<A12>CNTRL-<A32>
Docker swarm|SWMTKN-1-<L50>-<L25>
OpenShift|sha256~<W43>
Defined Networking|dnkey-<b26>-<b52>
Scalingo|tk-us-<W48>
Supabase personal|sbp_<H40>
Supabase secret|sb_secret_<W31>
Neon|napi_<L64>
PlanetScale token|pscale_tkn_<W43>
PlanetScale password|pscale_pw_<W43>
PlanetScale OAuth|pscale_oauth_<W43>
Aiven|AVNS_<W19>
MongoDB Atlas|mdb_sa_sk_<W40>
Databricks|dapi<H32>
ClickHouse Cloud|4b1d<A38>
Xata|xau_<A40>
Pinecone|pcsk_<A6>_<A60>
Ory|ory_pat_<A32>
Grafana Cloud|glc_eyJvIjoi<A80>
Grafana service account|glsa_<A32>_<H8>
Grafana older|eyJrIjoi<A80>
New Relic user|NRAK-<U27>
New Relic insert|NRII-<W32>
New Relic browser|NRJS-<H19>
Sentry organization|sntrys_eyJpYXQiOjE3<A80>LCJyZWdpb25fdXJs<A40>_<A43>
Sentry user|sntryu_<H64>
Honeycomb|hcaik_<L58>
Dynatrace|dt0c01.<U24>.<U64>
Axiom|xaat-<uuid>
PostHog|phx_<A43>
MaxMind|<A6>_<A29>_mmk
Stripe live|sk_live_<A24>
Stripe test, long|sk_test_51<A97>
Stripe restricted|rk_live_<A24>
webhook signing|whsec_<B32>
Square OAuth|sq0atp-<W22>
Square secret|sq0csp-<W43>
Square access|EAAA<W60>
PayPal Braintree|access_token$production$<L16>$<H32>
Razorpay|rzp_live_<A14>
Flutterwave|FLWSECK_TEST-<H32>-X
Mollie|live_<A30>
Lob|test_<H35>
GoCardless|live_<W40>
Plaid|access-production-<uuid>
Shopify access|shpat_<H32>
Shopify custom|shpca_<H32>
Shopify private|shppa_<H32>
Shopify shared secret|shpss_<H32>
EasyPost|EZAK<A54>
EasyPost test|EZTK<A54>
Shippo|shippo_live_<H40>
Duffel|duffel_live_<W43>
Mercado Pago|APP_USR-<D16>-<D6>-<H32>-<D9>
Paddle|pdl_live_apikey_<L26>_<A22>_<A3>
Xendit|xnd_production_<A60>
SendGrid|SG.<W22>.<W43>
Mailgun|key-<H32>
Mailchimp|<H32>-us14
Mandrill|md-<A22>
Brevo|xkeysib-<H64>-<A16>
Brevo SMTP|xsmtpsib-<H64>-<A16>
Resend|re_<A8>_<A24>
MailerSend|mlsn.<H64>
Klaviyo|pk_<H34>
Intercom|dG9rO<B54>=
HubSpot|pat-na1-<uuid>
OneSignal|os_v2_app_<l26><L80>
Twilio|SK<H32>
Facebook|EAAM<A160>
Facebook page|EAAC<A180>
LinkedIn|WPL_AP1.<A16>.<A8>==
Dropbox|sl.<W135>
Adobe|p8e-<L32>
Adafruit|aio_<A28>
Mapbox secret|sk.eyJ1Ijoi<A60>.<W22>
WakaTime|waka_<uuid>
Authress|sc_<L12>.<L5>.acc_<L16>.<B40>
Intra42|s-s4t2ud-<H64>
Infracost|ico-<A32>
SettleMint|sm_aat_<A16>
RapidAPI|<L10>msh<L15>p1<L6>jsn<L12>
Apify|apify_api_<A36>
Samsara|samsara_api_<A30>
Inngest|signkey-prod-<H64>
Anthropic API|sk-ant-api03-<W93>AA
Anthropic admin|sk-ant-admin01-<W93>AA
Anthropic OAuth|sk-ant-oat01-<W93>AA
OpenAI project|sk-proj-<W74>T3BlbkFJ<W74>
OpenAI older|sk-<A20>T3BlbkFJ<A20>
OpenAI service account|sk-svcacct-<W58>T3BlbkFJ<W58>
OpenRouter|sk-or-v1-<H64>
Groq|gsk_<A52>
Hugging Face|hf_<T34>
Hugging Face organization|api_org_<T34>
Replicate|r8_<A37>
Perplexity|pplx-<A48>
xAI|xai-<A80>
NVIDIA|nvapi-<W64>
Together|tgp_v1_<W43>
Cerebras|csk-<L48>
LangSmith|lsv2_pt_<H32>_<H10>
LangSmith service|lsv2_sk_<H32>_<H10>
Jina|jina_<A60>
Voyage|pa-<W42>7
Tavily|tvly-dev-<A32>
Firecrawl|fc-<H32>
ElevenLabs|sk_<H48>
Slack bot|xoxb-<D12>-<D13>-<A24>
Slack user|xoxp-<D12>-<D12>-<D13>-<H32>
Slack app|xapp-1-A<U10>-<D13>-<H64>
Slack refresh|xoxe-1-<U146>
Slack configuration|xoxe.xoxp-1-<U163>
Slack webhook|https://hooks.slack.com/services/T<U10>/B<U10>/<A24>
Slack workflow|https://hooks.slack.com/triggers/T<U9>/<D13>/<H32>
Discord bot|MTE5ODYy<A16>.G<A5>.<W38>
Discord webhook|https://discord.com/api/webhooks/<D18>/<W68>
Teams webhook|https://acme.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<H32>/<uuid>
Telegram|<D10>:AA<W33>
Google Chat webhook|https://chat.googleapis.com/v1/spaces/<A11>/messages?key=AIzaSy<W33>&token=<W43>
JSON web token|<jwt>
Anthropic OAuth refresh|sk-ant-ort01-<W93>AA
Doppler CLI|dp.ct.<A43>
Doppler SCIM|dp.scim.<A43>
Dynatrace platform|dt0s16.<b8>.<b64>
Linear OAuth|lin_oauth_<H64>
PyPI test|pypi-AgENdGVzdC5weXBpLm9yZw<W140>
Slack legacy|xoxs-<D12>-<D12>-<D12>-<H10>
Slack client|xoxc-<D12>-<D12>-<D13>-<H64>
Slack cookie|xoxd-<A40>%2B<A60>%3D%3D
FullStory|na1.<B100>
Open VSX|ovsxat_<uuid>
Thunderstore|tss_<A28>
StackHawk|hawk.<A20>.<A20>
E2B|e2b_<H40>
LocalStack|ls-<T4><D4>-<L4>-<L4>-<L4>-<L12>
Infisical|st.<H24>.<H32>.<H32>
Infisical, later|st.<uuid>.<H32>.<H32>
Dropbox, older|<A11>AAAAAAAAAA<W43>
Rootly|rootly_<H64>
Zuplo|zpka_<H32>_<H8>
age|AGE-SECRET-KEY-1<Q58>
NATS|SUA<b55>
Nostr|nsec1<q58>
wallet|xprv9<P106>
`;

export interface Template {
  readonly name: string;
  readonly template: string;
}

export const TOKEN_TEMPLATES: readonly Template[] =
  `${LIST.trim()}\n${SWEPT_TOKENS.trim()}\n${VENDOR_TOKENS.trim()}`.split("\n").map((line) => {
    const bar = line.indexOf("|");
    return { name: line.slice(0, bar), template: line.slice(bar + 1) };
  });
