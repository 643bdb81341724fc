import type { Catalog } from '../catalog.ts';
import type { StoredAccount } from '../ledger/accounts.ts';

/** The address that a server assumes for itself until an administrator sets one. */
const ASSUMED_ADDRESS = 'http://localhost:3000';

const SYSTEM_NAME = 'Reference Gateway';

/** Fields whose names have another meaning in this program. */
const NAMED_OTHERWISE = Object.fromEntries([
  ['turnstile_check', false],
  ['turnstile_site_key', ''],
]);

/** The status of a server on which an administrator has set nothing. */
const STATUS = {
  email_verification: false,
  github_oauth: false,
  github_client_id: '',
  discord_oauth: false,
  discord_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  linuxdo_minimum_trust_level: 0,
  telegram_oauth: false,
  telegram_bot_name: '',
  system_name: SYSTEM_NAME,
  logo: '',
  footer_html: '',
  wechat_qrcode: '',
  wechat_login: false,
  server_address: ASSUMED_ADDRESS,
  docs_link: '',
  display_in_currency: true,
  quota_display_type: 'USD',
  custom_currency_symbol: '¤',
  custom_currency_exchange_rate: 1,
  enable_batch_update: false,
  enable_drawing: true,
  enable_task: true,
  enable_data_export: true,
  data_export_default_time: 'hour',
  default_collapse_sidebar: false,
  mj_notify_enabled: false,
  chats: [],
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  default_use_auto_group: false,
  usd_exchange_rate: 7.3,
  price: 7.3,
  stripe_unit_price: 8,
  api_info_enabled: true,
  uptime_kuma_enabled: true,
  announcements_enabled: true,
  faq_enabled: true,
  HeaderNavModules: '',
  SidebarModulesAdmin: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
  passkey_login: false,
  passkey_display_name: SYSTEM_NAME,
  passkey_rp_id: new URL(ASSUMED_ADDRESS).host,
  passkey_origins: ASSUMED_ADDRESS,
  passkey_allow_insecure: false,
  passkey_user_verification: 'preferred',
  passkey_attachment: '',
  setup: true,
  user_agreement_enabled: false,
  privacy_policy_enabled: false,
  checkin_enabled: false,
  api_info: [],
  announcements: [],
  faq: [],
} as const;

/** The fields of the status by which versions differ. */
export const STATUS_0_13 = { version: 'v0.13.2', top_up_link: '' } as const;
export const STATUS_1_0 = {
  version: 'v1.0.0-rc.24',
  theme: 'default',
  register_enabled: true,
  password_login_enabled: true,
  password_register_enabled: true,
  oidc_display_name: 'OIDC',
} as const;

/** Builds `data` of `/api/status`. */
export const statusWith =
  (versionFields: Readonly<Record<string, unknown>>) =>
  ({ quotaPerUnit }: Catalog, startedAt: number) => ({
    ...STATUS,
    ...NAMED_OTHERWISE,
    ...versionFields,
    quota_per_unit: quotaPerUnit,
    start_time: Math.floor(startedAt),
  });

/** The parts of the pages for people that a user sees, as JSON in a text. */
const SIDEBAR = JSON.stringify({
  chat: { chat: true, enabled: true, playground: true },
  console: { detail: true, enabled: true, log: true, midjourney: true, task: true, token: true },
  personal: { enabled: true, personal: true, topup: true },
});

/** The account of a user who has set nothing. */
const ACCOUNT = {
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  discord_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  linux_do_id: '',
  setting: JSON.stringify({ gotify_priority: 0, sidebar_modules: SIDEBAR }),
  stripe_customer: '',
  sidebar_modules: SIDEBAR,
} as const;

const PERMISSIONS = { sidebar_settings: true, sidebar_modules: { admin: false } } as const;

/** Builds `data` of `/api/user/self`, with permissions that only newer versions have. */
export const selfWith =
  (morePermissions: Readonly<Record<string, unknown>>) =>
  ({ user_id, username, group, quota, used_quota, request_count }: StoredAccount) => ({
    id: user_id,
    username,
    display_name: username,
    ...ACCOUNT,
    group,
    quota,
    used_quota,
    request_count,
    // Every user has a code of four characters to invite others.
    aff_code: user_id.toString(36).padStart(4, '0').slice(-4),
    permissions: { ...PERMISSIONS, ...morePermissions },
  });
