// Generated from the migrated database by scripts/generate-types.ts; a test fails when it has drifted.
import type { ColumnType, GeneratedAlways } from 'kysely'
import type { MenuVisibility } from '#domain/access/menu.ts'
import type { Image } from '#domain/bulk/undo.ts'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { OutageCause } from '#domain/connections/causes.ts'
import type { NumberState } from '#domain/connections/number-state.ts'
import type { ExtraEntry, Keep, MergeState } from '#domain/contacts/person.ts'
import type { Expected } from '#domain/flow/cases.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { FlowSession } from '#domain/flow/session.ts'
import type { TemplateContent } from '#domain/message-templates/template.ts'
import type { MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import type { Decided } from '#domain/rules/rules.ts'
import type { Clocks } from '#domain/sla/clocks.ts'
import type { LogData, TicketLogType } from '#domain/tickets/logs.ts'
import type { UserConfigs } from '#kit/preferences.ts'
import type { ProviderValues, StoredSecrets } from '#kit/provider.ts'
import type { Audience } from '#kit/audience.ts'

type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json<T = unknown> = ColumnType<T, string, string>
/** A text whose values a check of the table or the code names; what is written is any text, which the check judges. */
type Checked<T> = ColumnType<T, string | Extract<T, null>, string | Extract<T, null>>

export interface Announcements {
  tenant_id: number
  id: GeneratedAlways<number>
  batch: string
  user_id: number
  message: string
  author_name: string
  is_read: Generated<boolean>
  created_at: Timestamp
  read_at: Generated<Timestamp | null>
}

export interface ApiKeys {
  tenant_id: number
  id: string
  name: string
  connection_id: number
  user_id: number
  scopes: string[]
  is_active: Generated<boolean>
  hint: string
  old_until: Generated<Timestamp | null>
  per_minute: Generated<number>
  networks: Generated<string[]>
  takes_query: Generated<boolean>
  url_service_status: Generated<string>
  url_message_status: Generated<string>
  auth_token: Generated<string | null>
  last_used_at: Generated<Timestamp | null>
  last_address: Generated<string>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface AssistantCalls {
  tenant_id: number
  id: string
  purpose: string
  ticket_id: Generated<number | null>
  turn_id: Generated<string | null>
  account_id: Generated<number | null>
  provider: string
  model: Generated<string>
  input_tokens: Generated<number>
  cached_tokens: Generated<number>
  output_tokens: Generated<number>
  ms: number
  cost: Generated<string>
  error: Generated<string | null>
  created_at: Timestamp
  user_id: Generated<number | null>
  outcome: Generated<Checked<'taken' | 'changed' | 'refused' | null>>
  external_id: Generated<string | null>
}

export interface AssistantSessions {
  tenant_id: number
  ticket_id: number
  assistant: string
  memory: Generated<Json>
  handle: Generated<string | null>
  updated_at: Generated<Timestamp>
}

export interface AssistantTurns {
  tenant_id: number
  id: string
  ticket_id: number
  account_id: Generated<number | null>
  provider: string
  status: Checked<'waiting' | 'claimed' | 'asked' | 'later' | 'answered' | 'failed' | 'canceled' | 'uncertain'>
  due_at: Timestamp
  claimed_by: Generated<string | null>
  lease_until: Generated<Timestamp | null>
  is_stale: Generated<boolean>
  tries: Generated<number>
  last_seq: Generated<number>
  problem: Generated<string | null>
  error: Generated<string | null>
  model: Generated<string | null>
  message_count: Generated<number>
  input_tokens: Generated<number>
  cached_tokens: Generated<number>
  output_tokens: Generated<number>
  cost: Generated<string>
  ms: Generated<number>
  sources: Generated<Json>
  created_at: Timestamp
  ended_at: Generated<Timestamp | null>
  flow: Generated<Json | null>
}

export interface AssistantWarnings {
  tenant_id: number
  month: string
  about: string
  most: string
  level: number
  created_at: Timestamp
}

export interface AuditHeads {
  tenant_id: number
  base_seq: Generated<number>
  base_hash: Generated<Buffer>
  last_seq: Generated<number>
  last_hash: Generated<Buffer>
  signature: Generated<string>
}

export interface AuditLog {
  tenant_id: number
  seq: number
  at: Timestamp
  action: string
  summary: Generated<string>
  result: Generated<string>
  user_id: Generated<number | null>
  user_name: Generated<string>
  profile: Generated<string>
  is_support: Generated<boolean>
  method: Generated<string>
  ip: Generated<string>
  user_agent: Generated<string>
  request_id: Generated<string>
  target: Generated<Json<Record<string, string | number>>>
  changes: Generated<Json<Record<string, { before?: unknown; after?: unknown }>>>
  previous_hash: Buffer
  hash: Buffer
}

export interface AutoReplies {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  action: Generated<Checked<'0' | '1'>>
  test_number: Generated<string>
  is_active: Generated<boolean>
  steps: Generated<Json>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface BirthdayGreetings {
  tenant_id: number
  contact_id: number
  year: number
  connection_id: number
  code: string
  created_at: Timestamp
}

export interface BirthdaySettings {
  tenant_id: number
  connection_id: number
  is_on: boolean
  hour: number
  message: string
  file_id: Generated<string | null>
  updated_at: Timestamp
}

export interface BulkItems {
  tenant_id: number
  operation_id: string
  position: number
  subject_id: number
  status: Generated<Checked<'waiting' | 'done' | 'same' | 'refused' | 'restored' | 'kept'>>
  code: Generated<string | null>
  before: Generated<Json<Image> | null>
  after: Generated<Json<Image> | null>
  changed_by: Generated<number | null>
  changed_at: Generated<Timestamp | null>
  is_final: Generated<boolean>
}

export interface BulkMessages {
  tenant_id: number
  operation_id: string
  ticket_id: number
  message_id: string
}

export interface BulkOperations {
  tenant_id: number
  id: string
  kind: string
  action: string
  args: Generated<Json>
  user_id: Generated<number | null>
  status: Generated<Checked<'running' | 'paused' | 'canceled' | 'done' | 'undoing' | 'undone'>>
  total: number
  missing: Generated<unknown>
  undo_until: Generated<Timestamp | null>
  created_at: Timestamp
  ended_at: Generated<Timestamp | null>
}

export interface CalendarEvents {
  tenant_id: number
  id: string
  account_id: number
  remote_id: string
  etag: Generated<string>
  round: Generated<number>
  starts_at: Timestamp
  ends_at: Timestamp
  first_day: Generated<string | null>
  last_day: Generated<string | null>
  summary: Generated<string>
  description: Generated<string>
  location: Generated<string>
  attendees: Generated<Json>
  reminder_minutes: Generated<number | null>
  has_meet: Generated<boolean>
  meet_url: Generated<string>
  url: Generated<string>
  is_private: Generated<boolean>
  is_recurring: Generated<boolean>
  is_editable: Generated<boolean>
  wanted: Generated<Checked<'insert' | 'update' | 'remove' | null>>
  notifies: Generated<boolean>
  stamp: Generated<number>
  known_stamp: Generated<number>
  push_at: Generated<Timestamp | null>
  tries: Generated<number>
  problem: Generated<string>
  theirs: Generated<Json | null>
  user_id: Generated<number | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface CalendarSyncs {
  tenant_id: number
  account_id: number
  status: Generated<Checked<'new' | 'ok' | 'failed' | 'revoked'>>
  problem: Generated<string>
  email: Generated<string>
  cursor: Generated<string | null>
  round: Generated<number>
  full_at: Generated<Timestamp | null>
  synced_at: Generated<Timestamp | null>
  due_at: Timestamp
}

export interface Calls {
  tenant_id: number
  id: string
  device_id: Generated<number | null>
  device_name: string
  user_id: Generated<number | null>
  contact_id: Generated<number | null>
  direction: Checked<'incoming' | 'outgoing'>
  device_number: Generated<string>
  number: Generated<string>
  name: Generated<string>
  created_at: Timestamp
  answered_at: Generated<Timestamp | null>
  ended_at: Generated<Timestamp | null>
}

export interface Changes {
  tenant_id: number
  seq: number
  channel: string
  type: string
  payload: Json
  audience: Json<Audience>
  at: Generated<Timestamp>
  packed: Generated<Buffer | null>
}

export interface ChannelGroups {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  key: string
  name: string
  description: Generated<string>
  role: Generated<Checked<'owner' | 'admin' | 'member' | null>>
  size: Generated<number>
  only_admins_write: Generated<boolean>
  seen_at: Timestamp
}

export interface ChannelUploads {
  tenant_id: number
  connection_id: number
  content: string
  provider_id: string
  used_until: Timestamp
}

export interface ChatFlowVersions {
  tenant_id: number
  chat_flow_id: number
  version: number
  definition: Json<FlowDocument>
  user_id: Generated<number | null>
  created_at: Generated<Timestamp>
  secrets_apart: Generated<boolean>
}

export interface ChatFlows {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  is_active: Generated<boolean>
  definition: Generated<Json<FlowDocument>>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  test_number: Generated<string>
  keyword: Generated<string>
  revision: Generated<number>
  is_deleted: Generated<boolean>
  published_version: Generated<number | null>
  secrets_apart: Generated<boolean>
  trial_version: Generated<number | null>
  trial_share: Generated<number | null>
  starts_on: Generated<Checked<'' | 'entry' | 'closing'>>
  auto_reply_id: Generated<number | null>
}

export interface ConnectionAssistants {
  tenant_id: number
  connection_id: number
  account_id: Generated<number | null>
  transcribes: Generated<boolean>
  answers_when: Generated<Checked<'always' | 'closed' | 'away'>>
  answers_first_only: Generated<boolean>
  updated_at: Timestamp
}

export interface ConnectionLeases {
  tenant_id: number
  connection_id: number
  holder: Generated<string | null>
  epoch: Generated<number>
  taken_at: Timestamp
}

export interface ConnectionOutages {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  cause: Checked<OutageCause>
  began_at: Timestamp
  ended_at: Generated<Timestamp | null>
  recovered: Generated<number | null>
  missing: Generated<number | null>
  checked_at: Generated<Timestamp | null>
  noticed_at: Generated<Timestamp | null>
  mailed_at: Generated<Timestamp | null>
}

export interface ConnectionPaces {
  tenant_id: number
  connection_id: number
  tokens: number
  filled_at: Timestamp
  begun: Generated<Json>
  refused: Generated<Json>
  halvings: Generated<number>
  slow_until: Generated<Timestamp | null>
}

export interface ConnectionRequests {
  tenant_id: number
  id: string
  connection_id: number
  question: string
  about: string
  answer: Generated<string | null>
  claimed_epoch: Generated<number | null>
  asked_at: Timestamp
  expires_at: Timestamp
}

export interface ConnectionState {
  tenant_id: number
  connection_id: number
  name: string
  value: string
  updated_at: Timestamp
}

export interface Connections {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  type: string
  status: Generated<Checked<'OPENING' | 'qrcode' | 'PAIRING' | 'TIMEOUT' | 'CONNECTED' | 'DISCONNECTED'>>
  number: Generated<string | null>
  qrcode: Generated<string | null>
  retries: Generated<number>
  is_default: Generated<boolean>
  is_deleted: Generated<boolean>
  queue_id: Generated<number | null>
  user_id: Generated<number | null>
  config: Generated<Json<Readonly<Record<string, unknown>>>>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  secrets: Generated<Json<StoredSecrets>>
  account: Generated<string | null>
  webhook: Generated<string | null>
  destroy_message: Generated<boolean>
  disable_external_integration: Generated<boolean>
  pairing_code: Generated<string | null>
  code_expires_at: Generated<Timestamp | null>
  pairing: Generated<string | null>
  cause: Generated<Checked<OutageCause | null>>
  opening: Generated<number>
  forgets_keys: Generated<boolean>
  chat_flow_id: Generated<number | null>
  close_keywords: Generated<string>
  farewell_message: Generated<string>
  proxy_id: Generated<number | null>
  first_connected_at: Generated<Timestamp | null>
  last_connected_at: Generated<Timestamp | null>
  ignores_hours: Generated<boolean>
  refused_calls: Generated<number>
  unread: Generated<Json<Readonly<Record<string, number>>>>
  connected_at: Generated<Timestamp | null>
  watches_words: Generated<boolean>
}

export interface Consents {
  tenant_id: number
  id: GeneratedAlways<number>
  address: string
  purpose: Checked<'marketing' | 'utility'>
  state: Checked<'granted' | 'revoked'>
  source: Checked<'conversation' | 'import' | 'widget' | 'api' | 'agent' | 'campaign'>
  note: Generated<string>
  connection_id: Generated<number | null>
  user_id: Generated<number | null>
  created_at: Timestamp
}

export interface ContactChanges {
  tenant_id: number
  id: GeneratedAlways<number>
  contact_id: number
  user_id: Generated<number | null>
  field: string
  before: string
  after: string
  created_at: Timestamp
}

export interface ContactFieldValues {
  tenant_id: number
  contact_id: number
  field_id: number
  value: string
  number: Generated<number | null>
  sorted: GeneratedAlways<string>
}

export interface ContactFields {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  type: Generated<Checked<'text' | 'number' | 'date' | 'choice' | 'boolean'>>
  options: Generated<string>
  required: Generated<boolean>
  in_list: Generated<boolean>
  position: number
  created_at: Timestamp
  updated_at: Timestamp
  variable: string
}

export interface ContactIdentities {
  tenant_id: number
  channel: string
  identity: string
  contact_id: number
  created_at: Generated<Timestamp>
  proof: Generated<Checked<'provider' | 'person' | 'none'>>
  picture_due_at: Generated<Timestamp | null>
  picture_asked_at: Generated<Timestamp | null>
  blocks_us_since: Generated<Timestamp | null>
}

export interface ContactImportBlocks {
  tenant_id: number
  import_id: string
  line: number
  lines: Generated<Json>
  made: Generated<unknown>
}

export interface ContactImportChanges {
  tenant_id: number
  import_id: string
  contact_id: number
  before: Json
  after: Json
}

export interface ContactImportRows {
  tenant_id: number
  import_id: string
  line: number
  cells: Json
  problems: Generated<Json>
}

export interface ContactImports {
  tenant_id: number
  id: string
  user_id: Generated<number | null>
  kind: Checked<'csv' | 'xlsx' | 'vcf' | 'contacts' | 'groups'>
  file_id: Generated<string | null>
  connection_id: Generated<number | null>
  name: string
  columns: Generated<Json>
  options: Generated<Json>
  is_dry_run: boolean
  phase: Checked<'check' | 'run' | 'undo'>
  status: Checked<'running' | 'done' | 'canceled' | 'failed'>
  problem: Generated<string>
  total: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  rejected: Generated<number>
  done_row: Generated<number>
  cursor: Generated<string | null>
  done: Generated<number>
  restored: Generated<number>
  skipped: Generated<number>
  created_at: Timestamp
  ended_at: Generated<Timestamp | null>
  letters: Generated<Json | null>
}

export interface ContactMerges {
  tenant_id: number
  id: GeneratedAlways<number>
  contact_id: number
  other_id: number
  keep: Generated<Json<Keep>>
  proof: Checked<'person' | 'number' | 'provider'>
  user_id: Generated<number | null>
  created_at: Generated<Timestamp>
  undone_at: Generated<Timestamp | null>
  undone_by: Generated<number | null>
}

export interface ContactTags {
  tenant_id: number
  contact_id: number
  tag_id: number
}

export interface ContactViews {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  filter: Generated<Json>
  audience: Generated<Checked<'person' | 'company'>>
  user_id: Generated<number | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ContactWallets {
  tenant_id: number
  contact_id: number
  user_id: number
}

export interface Contacts {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  number: Generated<string | null>
  email: Generated<string>
  cpf: Generated<string>
  first_name: Generated<string>
  last_name: Generated<string>
  business_name: Generated<string>
  birthday_date: Generated<string>
  profile_pic_file: Generated<string | null>
  is_group: Generated<boolean>
  kanban: Generated<number | null>
  blocked: Generated<boolean>
  chatbot_blocked: Generated<boolean>
  extra_info: Generated<Json<ExtraEntry[]>>
  search_text: GeneratedAlways<string>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  sort_name: GeneratedAlways<string>
  shown_name: GeneratedAlways<string>
  kanban_order: Generated<string | null>
  is_wa_contact: Generated<boolean | null>
  wa_checked_at: Generated<Timestamp | null>
  merged_into: Generated<number | null>
  merge_state: Generated<Json<MergeState> | null>
  pushname: Generated<string>
  is_named_by_channel: Generated<boolean>
  revision: Generated<number>
  changed_by: Generated<number | null>
  changed_at: Generated<Timestamp | null>
  birth_day: GeneratedAlways<string>
  needs_source: Generated<boolean>
}

export interface Directory {
  kind: string
  key_hash: Buffer
  tenant_id: number
  subject_id: string
  data: Generated<Json<Readonly<Record<string, unknown>>>>
  expires_at: Generated<Timestamp | null>
  created_at: Generated<Timestamp>
}

export interface DispatchItems {
  tenant_id: number
  id: GeneratedAlways<number>
  dispatch_id: number
  contact_id: number
  connection_id: number
  line: string
  message_id: string
  variant: Generated<number>
  own_values: Generated<Json | null>
  state: Generated<Checked<'waiting' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'uncertain' | 'skipped'>>
  reason: Generated<string>
  is_first: Generated<boolean>
  sent_at: Generated<Timestamp | null>
  state_at: Generated<Timestamp | null>
  replied_at: Generated<Timestamp | null>
  opted_out_at: Generated<Timestamp | null>
  clicked_at: Generated<Timestamp | null>
}

export interface DispatchLanes {
  tenant_id: number
  connection_id: number
  sent_at: Generated<Timestamp | null>
  jitter: Generated<number>
}

export interface DispatchTicks {
  tenant_id: number
  id: GeneratedAlways<number>
  dispatch_id: number
  counter: string
  amount: number
}

export interface Dispatches {
  tenant_id: number
  id: GeneratedAlways<number>
  kind: Checked<'campaign' | 'text' | 'text_variable' | 'template' | 'template_variable' | 'sms'>
  name: string
  status: Generated<Checked<'pending' | 'scheduled' | 'processing' | 'paused' | 'canceled' | 'finished'>>
  pause_reason: Generated<string>
  start_at: Timestamp
  connection_id: Generated<number | null>
  delay: number
  messages: Generated<Json>
  template: Generated<Json | null>
  file_id: Generated<string | null>
  window_start: string
  window_end: string
  weekdays: Json
  skips_holidays: boolean
  purpose: Checked<'marketing' | 'utility'>
  per_week: Generated<number | null>
  skips_open: boolean
  reply_queue_id: Generated<number | null>
  reply_tag_id: Generated<number | null>
  user_id: Generated<number | null>
  parent_id: Generated<number | null>
  counts: Generated<Json>
  turned_at: Generated<Timestamp | null>
  waits_until: Generated<Timestamp | null>
  started_at: Generated<Timestamp | null>
  finished_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
  audience: Generated<Json>
  recurrence: Generated<string | null>
  repeats_from: Generated<Timestamp | null>
  previous_id: Generated<number | null>
  awaits_start: Generated<boolean>
  follow_up: Generated<Json | null>
  follows_up: Generated<boolean>
  reply_flow_id: Generated<number | null>
  closes_tickets: Generated<boolean>
  id_front: Generated<string | null>
  delay_spread: Generated<number | null>
}

export interface DistinctContacts {
  tenant_id: number
  contact_id: number
  other_id: number
  user_id: Generated<number | null>
  created_at: Generated<Timestamp>
}

export interface DistributionTurns {
  tenant_id: number
  user_id: number
  turn: number
}

export interface Drafts {
  tenant_id: number
  user_id: number
  ticket_id: number
  body: string
  is_note: Generated<boolean>
  updated_at: Generated<Timestamp>
  revision: Generated<number>
  quoted_id: Generated<string | null>
  mail: Generated<Json | null>
}

export interface Farewells {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  message: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface FastReplies {
  tenant_id: number
  id: GeneratedAlways<number>
  key: string
  title: Generated<string>
  message: string
  is_public: Generated<boolean>
  user_id: Generated<number | null>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  queue_id: Generated<number | null>
  voice: Generated<boolean>
  uses: Generated<number>
}

export interface FastReplyFiles {
  tenant_id: number
  fast_reply_id: number
  file_id: string
  position: number
}

export interface FeedHeads {
  tenant_id: number
  last_seq: Generated<number>
}

export interface Files {
  tenant_id: number
  id: string
  sha256: string
  path: string
  name: string
  mime: string
  size: number
  width: Generated<number | null>
  height: Generated<number | null>
  duration_ms: Generated<number | null>
  waveform: Generated<Json | null>
  refs: Generated<number>
  created_at: Generated<Timestamp>
}

export interface FlowCases {
  tenant_id: number
  id: GeneratedAlways<number>
  chat_flow_id: number
  name: string
  conversation: Json
  expect: Json<Expected>
  created_at: Generated<Timestamp>
  ticket_id: Generated<number | null>
}

export interface FlowEvents {
  tenant_id: number
  session_id: string
  id: GeneratedAlways<number>
  event: Json
}

export interface FlowFiles {
  tenant_id: number
  chat_flow_id: number
  file_id: string
}

export interface FlowReplaySessions {
  tenant_id: number
  replay_id: number
  session_id: string
  begun_at: Timestamp
  outcome: string
}

export interface FlowReplays {
  tenant_id: number
  id: GeneratedAlways<number>
  chat_flow_id: number
  definition: Generated<Json<FlowDocument> | null>
  from_at: Timestamp
  to_at: Timestamp
  counts: Json
  created_at: Generated<Timestamp>
}

export interface FlowSecrets {
  tenant_id: number
  id: string
  chat_flow_id: number
  name: string
  origin: string
  hint: string
  encrypted: string
  created_at: Generated<Timestamp>
}

export interface FlowSessions {
  tenant_id: number
  id: string
  ticket_id: number
  chat_flow_id: number
  version: number
  state: Json<FlowSession>
  ended_at: Generated<Timestamp | null>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface FlowSteps {
  tenant_id: number
  session_id: string
  number: number
  node_id: Generated<string | null>
  why: string
  at: Timestamp
  chat_flow_id: Generated<number | null>
  version: Generated<number | null>
  begins: Generated<boolean>
  is_entry: Generated<boolean>
  branch_node: Generated<string | null>
  branch: Generated<number | null>
  cause: Generated<string | null>
}

export interface ForgottenContacts {
  tenant_id: number
  id: GeneratedAlways<number>
  contact_id: number
  user_id: Generated<number | null>
  user_name: string
  counts: Json
  fingerprints: Json<string[]>
  signature: string
  created_at: Timestamp
}

export interface GroupArrivals {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  key: string
  kind: Checked<'greeting' | 'farewell'>
  contact_id: number
  name: string
}

export interface GroupJobItems {
  tenant_id: number
  id: GeneratedAlways<number>
  job_id: number
  key: Generated<string>
  name: string
  state: Generated<Checked<'waiting' | 'doing' | 'done' | 'partial' | 'failed' | 'uncertain' | 'skipped'>>
  reason: Generated<string>
  outcomes: Generated<Json>
  done_at: Generated<Timestamp | null>
}

export interface GroupJobs {
  tenant_id: number
  id: GeneratedAlways<number>
  kind: Checked<'create' | 'title' | 'description' | 'picture' | 'admins_only' | 'promote' | 'demote' | 'add' | 'remove'>
  connection_id: number
  params: Generated<Json>
  file_id: Generated<string | null>
  status: Generated<Checked<'processing' | 'paused' | 'completed' | 'canceled'>>
  reason: Generated<string>
  user_id: Generated<number | null>
  waits_until: Generated<Timestamp | null>
  created_at: Timestamp
  finished_at: Generated<Timestamp | null>
}

export interface GroupLanes {
  tenant_id: number
  connection_id: number
  acted_at: Timestamp
}

export interface GroupMembers {
  tenant_id: number
  id: GeneratedAlways<number>
  contact_id: number
  identity: string
  name: string
  number: Generated<string | null>
  is_admin: Generated<boolean>
  is_member: Generated<boolean>
  changed_at: Timestamp
  updated_at: Timestamp
}

export interface GroupRules {
  tenant_id: number
  id: GeneratedAlways<number>
  kind: Checked<'greeting' | 'farewell' | 'ban' | 'word'>
  connection_id: number
  key: string
  group_name: string
  value: string
  deletes: Generated<boolean>
  warning: Generated<string>
  remove_after: Generated<number | null>
  user_id: Generated<number | null>
  hits: Generated<number>
  hit_at: Generated<Timestamp | null>
  problem: Generated<string>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface GroupStrikes {
  tenant_id: number
  connection_id: number
  key: string
  identity: string
  count: number
  struck_at: Timestamp
}

export interface HistoryImports {
  tenant_id: number
  id: string
  connection_id: number
  user_id: Generated<number | null>
  conversation_key: Generated<string | null>
  per_chat: number
  status: Generated<Checked<'running' | 'done' | 'canceled' | 'failed'>>
  error_code: Generated<string | null>
  failures: Generated<number>
  is_listed: Generated<boolean>
  cursor: Generated<string | null>
  chats: Generated<Json<readonly string[]>>
  chats_total: Generated<number | null>
  chats_done: Generated<number>
  messages_read: Generated<number>
  messages_new: Generated<number>
  reached_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
  ended_at: Generated<Timestamp | null>
  since: Generated<Timestamp | null>
  until: Generated<Timestamp | null>
  has_groups: Generated<boolean>
}

export interface IdempotencyKeys {
  tenant_id: number
  user_id: number
  key: string
  operation: string
  body_hash: string
  answer: Generated<Json | null>
  created_at: Generated<Timestamp>
}

export interface Installation {
  only_row: Generated<boolean>
  data: Generated<Json<Readonly<Record<string, unknown>>>>
}

export interface Journal {
  tenant_id: number
  id: string
  seq: GeneratedAlways<number>
  connection_id: number
  dedupe_key: string
  payload: Json
  received_at: Generated<Timestamp>
  processed_at: Generated<Timestamp | null>
  attempts: Generated<number>
  error: Generated<string | null>
  set_aside_at: Generated<Timestamp | null>
  error_code: Generated<string | null>
  receipt_for: Generated<string | null>
  deaths: Generated<number>
}

export interface JournalProcessed {
  tenant_id: number
  id: string
  seq: number
  connection_id: number
  dedupe_key: string
  payload: Json
  received_at: Timestamp
  processed_at: Generated<Timestamp>
  receipt_for: Generated<string | null>
}

export interface LabGroupMembers {
  tenant_id: number
  group_id: number
  phone_id: number
  is_admin: boolean
}

export interface LabMessages {
  tenant_id: number
  id: string
  seq: GeneratedAlways<number>
  phone_id: number
  provider_id: string
  from_phone: boolean
  media_type: Generated<Checked<MessageType>>
  body: Generated<string>
  file_id: Generated<string | null>
  status: Generated<string>
  timestamp: Timestamp
  quoted_id: Generated<string | null>
  data: Generated<Json | null>
  is_forwarded: Generated<boolean>
  is_edited: Generated<boolean>
  is_deleted: Generated<boolean>
  reaction: Generated<string | null>
  team_reaction: Generated<string | null>
  sender: Generated<Json | null>
  mentions: Generated<Json | null>
}

export interface LabPhones {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  name: string
  number: string
  faults: Generated<Json>
  created_at: Generated<Timestamp>
  is_group: Generated<boolean>
  description: Generated<string>
  only_admins_write: Generated<boolean>
  is_own_admin: Generated<boolean>
}

export interface LinkCards {
  tenant_id: number
  id: GeneratedAlways<number>
  key: string
  url: string
  title: Generated<string | null>
  description: Generated<string>
  site: Generated<string>
  file_id: Generated<string | null>
  fetched_at: Timestamp
  expires_at: Timestamp
}

export interface Macros {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  color: string
  audience: Generated<Checked<'person' | 'queue' | 'company'>>
  queue_id: Generated<number | null>
  user_id: Generated<number | null>
  actions: Json
  created_at: Timestamp
  updated_at: Timestamp
}

export interface McpApprovals {
  tenant_id: number
  id: string
  key_id: string
  operation: string
  input: Json<Readonly<Record<string, unknown>>>
  client: Generated<string>
  prompt: Generated<string>
  before: Generated<Json | null>
  after: Generated<Json | null>
  status: Generated<Checked<'waiting' | 'running' | 'done' | 'failed' | 'refused'>>
  effect_id: Generated<string | null>
  error: Generated<string>
  decided_by: Generated<number | null>
  decided_at: Generated<Timestamp | null>
  created_at: Timestamp
  expires_at: Timestamp
}

export interface McpEffects {
  tenant_id: number
  id: string
  key_id: string
  operation: string
  subject: Generated<Json<Record<string, unknown>>>
  way: Generated<Checked<'' | 'bulk' | 'kind' | 'message' | 'remove' | 'update'>>
  before: Generated<Json | null>
  after: Generated<Json | null>
  created_at: Timestamp
  undo_until: Generated<Timestamp | null>
  undone_at: Generated<Timestamp | null>
}

export interface MediaDownloads {
  tenant_id: number
  message_id: string
  pointer: string
  failures: Generated<number>
  wanted_at: Generated<Timestamp | null>
}

export interface Mentions {
  tenant_id: number
  message_id: string
  user_id: number
  ticket_id: number
  message_at: Timestamp
  message_seq: number
  seen_at: Generated<Timestamp | null>
}

export interface MessageActs {
  tenant_id: number
  id: string
  seq: Generated<number>
  connection_id: number
  conversation_key: string
  message_id: Generated<string | null>
  provider_id: Generated<string | null>
  dedupe_key: Generated<string | null>
  from_me: boolean
  user_id: Generated<number | null>
  type: Checked<'edit' | 'revoke' | 'react'>
  body: Generated<string | null>
  emoji: Generated<string | null>
  status: Generated<Checked<'pending' | 'queued' | 'sent' | 'failed' | 'canceled' | 'received' | 'waiting'>>
  error_code: Generated<string | null>
  attempts: Generated<number>
  failures: Generated<number>
  at: Timestamp
  updated_at: Timestamp
  mentions: Generated<Json | null>
  author: Generated<Json | null>
}

export interface MessageHtml {
  tenant_id: number
  message_id: string
  html: string
}

export interface MessageTemplates {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  provider_id: string
  name: string
  language: string
  category: Checked<'MARKETING' | 'UTILITY' | 'AUTHENTICATION'>
  status: Checked<'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED' | 'IN_APPEAL' | 'PENDING_DELETION' | 'LIMIT_EXCEEDED'>
  quality: Generated<Checked<'GREEN' | 'YELLOW' | 'RED' | null>>
  reason: Generated<string>
  content: Json<TemplateContent>
  told_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface MessageTexts {
  tenant_id: number
  message_id: string
  timestamp: Timestamp
  seq: number
  from_me: boolean
  user_id: Generated<number | null>
  media_type: Checked<MessageType>
  text: string
}

export interface MessageTrail {
  tenant_id: number
  id: GeneratedAlways<number>
  message_id: string
  step: string
  detail: Generated<Json<object>>
  at: Generated<Timestamp>
}

export interface Messages {
  tenant_id: number
  id: string
  seq: GeneratedAlways<number>
  ticket_id: number
  contact_id: number
  connection_id: number
  conversation_key: string
  provider_id: Generated<string | null>
  id_front: Generated<string | null>
  from_me: boolean
  is_note: Generated<boolean>
  user_id: Generated<number | null>
  media_type: Generated<Checked<MessageType>>
  body: Generated<string>
  file_id: Generated<string | null>
  data: Generated<Json<MessageData> | null>
  quoted_id: Generated<string | null>
  status: Checked<'pending' | 'queued' | 'sent' | 'delivered' | 'read' | 'played' | 'failed' | 'canceled' | 'uncertain' | 'received'>
  error_code: Generated<string | null>
  send_type: Generated<string>
  is_deleted: Generated<boolean>
  is_late: Generated<boolean>
  edition: Generated<string | null>
  reaction: Generated<string | null>
  reaction_from_me: Generated<string | null>
  schedule_date: Generated<Timestamp | null>
  timestamp: Timestamp
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  send_at: Generated<Timestamp | null>
  cancel_on_reply: Generated<boolean>
  repeat: Generated<string | null>
  repeat_from: Generated<Timestamp | null>
  sender: Generated<Json | null>
  mentions: Generated<Json | null>
  sync_time: Generated<Timestamp | null>
  link_card_id: Generated<number | null>
  album: Generated<Json | null>
  provider_alias: Generated<string | null>
}

export interface Notifications {
  tenant_id: number
  user_id: number
  ticket_id: number
  mentions: Generated<number>
  transfers: Generated<number>
  by_user_id: Generated<number | null>
  message_id: Generated<string | null>
  updated_at: Timestamp
  read_at: Generated<Timestamp | null>
}

export interface NumberChanges {
  tenant_id: number
  id: GeneratedAlways<number>
  connection_id: number
  what: Checked<'quality' | 'limit' | 'status' | 'name' | 'restriction' | 'payment'>
  before: Generated<string | null>
  after: string
  at: Timestamp
}

export interface NumberStates {
  tenant_id: number
  connection_id: number
  business: string
  state: Json<NumberState>
  read_at: Timestamp
}

export interface Opportunities {
  tenant_id: number
  id: GeneratedAlways<number>
  pipeline_id: number
  stage_id: number
  rank: string
  entry: Generated<number>
  contact_id: number
  responsible_id: Generated<number | null>
  name: string
  description: Generated<string>
  value: Generated<string>
  closing_forecast: Generated<string | null>
  status: Generated<Checked<'open' | 'win' | 'lose'>>
  reason: Generated<string>
  stage_since: Timestamp
  moved_at: Timestamp
  closed_at: Generated<Timestamp | null>
  user_id: Generated<number | null>
  revision: Generated<number>
  changed_by: Generated<number | null>
  changed_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
  depth: Generated<number>
  source: Generated<string | null>
}

export interface OpportunityFieldValues {
  tenant_id: number
  opportunity_id: number
  field_id: number
  value: string
  number: Generated<number | null>
  sorted: GeneratedAlways<string>
}

export interface OpportunityFields {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  type: Generated<Checked<'text' | 'number' | 'date' | 'choice' | 'boolean'>>
  options: Generated<string>
  required: Generated<boolean>
  in_list: Generated<boolean>
  position: number
  created_at: Timestamp
  updated_at: Timestamp
}

export interface OpportunityHistory {
  tenant_id: number
  id: GeneratedAlways<number>
  opportunity_id: number
  kind: Checked<'created' | 'stage' | 'status' | 'value' | 'owner' | 'forecast' | 'field'>
  before: Generated<string | null>
  after: Generated<string | null>
  advanced: Generated<boolean | null>
  entry: number
  user_id: Generated<number | null>
  at: Timestamp
  field_id: Generated<number | null>
}

export interface OpportunityNotes {
  tenant_id: number
  id: GeneratedAlways<number>
  opportunity_id: number
  user_id: Generated<number | null>
  text: string
  created_at: Timestamp
}

export interface Passkeys {
  tenant_id: number
  id: GeneratedAlways<number>
  user_id: number
  name: string
  rp_id: string
  credential_id: string
  public_key: Buffer
  counter: Generated<number>
  transports: Generated<Json<string[]>>
  is_backed_up: Generated<boolean>
  created_at: Generated<Timestamp>
  last_used_at: Generated<Timestamp | null>
}

export interface PinnedMessages {
  tenant_id: number
  message_id: string
  ticket_id: number
  user_id: Generated<number | null>
  created_at: Timestamp
}

export interface PipelineActionLogs {
  tenant_id: number
  id: GeneratedAlways<number>
  action_id: number
  opportunity_id: number
  entry: number
  result: Checked<'done' | 'refused' | 'stopped'>
  steps: Generated<Json>
  at: Timestamp
}

export interface PipelineActions {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  description: Generated<string>
  pipeline_id: number
  stage_id: number
  days_to_trigger: Generated<number>
  hour_from: Generated<number | null>
  hour_to: Generated<number | null>
  steps: Json
  is_active: Generated<boolean>
  active_since: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface PipelineStages {
  tenant_id: number
  id: GeneratedAlways<number>
  pipeline_id: number
  name: string
  color: string
  position: number
  chance: number
  stale_days: number
  exits: Generated<number>
  advances: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface PipelineSums {
  tenant_id: number
  stage_id: number
  owner_id: number
  status: string
  count: number
  value: string
  month: string
  high_count: number
  high_value: string
}

export interface Pipelines {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface Plans {
  id: GeneratedAlways<number>
  name: string
  value: string
  connections: number
  users: number
  trial: Generated<boolean>
  trial_period: Generated<number>
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  assistant_answers: Generated<number>
}

export interface PlatformAuditHead {
  only_row: Generated<boolean>
  base_seq: Generated<number>
  base_hash: Generated<Buffer>
  last_seq: Generated<number>
  last_hash: Generated<Buffer>
  signature: Generated<string>
}

export interface PlatformAuditLog {
  seq: number
  at: Timestamp
  action: string
  summary: Generated<string>
  result: Generated<string>
  user_id: Generated<number | null>
  user_name: Generated<string>
  profile: Generated<string>
  is_support: Generated<boolean>
  method: Generated<string>
  ip: Generated<string>
  user_agent: Generated<string>
  request_id: Generated<string>
  target: Generated<Json>
  changes: Generated<Json>
  previous_hash: Buffer
  hash: Buffer
}

export interface PresencePeriods {
  tenant_id: number
  id: GeneratedAlways<number>
  user_id: number
  began_at: Timestamp
  ended_at: Generated<Timestamp | null>
  kind: Generated<Checked<'online' | 'away'>>
}

export interface PrivateMessages {
  tenant_id: number
  id: string
  conversation: string
  sender_id: number
  receiver_id: Generated<number | null>
  group_id: Generated<number | null>
  body: Generated<string>
  media_type: Checked<'text' | 'image' | 'video' | 'audio' | 'document'>
  file_id: Generated<string | null>
  quoted_id: Generated<string | null>
  mentions: Generated<Json>
  is_forwarded: Generated<boolean>
  ticket_id: Generated<number | null>
  sent_at: Timestamp
  revision: Generated<number>
  edited_at: Generated<Timestamp | null>
  deleted_at: Generated<Timestamp | null>
}

export interface PrivatePositions {
  tenant_id: number
  user_id: number
  conversation: string
  peer_id: Generated<number | null>
  group_id: Generated<number | null>
  last_at: Generated<Timestamp | null>
  read_at: Generated<Timestamp | null>
  read_id: Generated<string | null>
}

export interface PrivateReactions {
  tenant_id: number
  message_id: string
  user_id: number
  emoji: string
  created_at: Timestamp
}

export interface ProviderApps {
  id: GeneratedAlways<number>
  channel: string
  name: string
  config: Generated<Json<Readonly<Record<string, unknown>>>>
  secrets: Generated<Json<StoredSecrets>>
  path: Generated<string | null>
  path_hash: Buffer
  unclaimed_events: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ProviderSettings {
  tenant_id: number
  provider: string
  config: Generated<Json<ProviderValues>>
  secrets: Generated<Json<StoredSecrets>>
  updated_at: Timestamp
  kind: string
  id: GeneratedAlways<number>
  name: Generated<string>
  is_active: Generated<boolean>
  is_default: Generated<boolean>
  state: Generated<Json<object>>
  created_at: Generated<Timestamp>
}

export interface ProviderSignups {
  tenant_id: number
  id: GeneratedAlways<number>
  user_id: number
  provider: string
  state_hash: Generated<Buffer | null>
  accounts: Generated<string | null>
  expires_at: Timestamp
}

export interface ProviderWebhooks {
  id: GeneratedAlways<number>
  owner_id: Generated<number | null>
  provider: string
  path: string
  path_hash: Buffer
  refused_calls: Generated<number>
  unclaimed_events: Generated<number>
  unread: Generated<Json<Readonly<Record<string, number>>>>
}

export interface Proxies {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  type: Generated<Checked<'http' | 'https' | 'socks5'>>
  host: string
  port: number
  username: Generated<string>
  secrets: Generated<Json<StoredSecrets>>
  is_active: Generated<boolean>
  tested_at: Generated<Timestamp | null>
  failure: Generated<string | null>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface PushNotices {
  tenant_id: number
  session_id: string
  ticket_id: number
  seq: number
  sent_seq: Generated<number | null>
  due_at: Timestamp
}

export interface PushSenders {
  tenant_id: number
  public_key: string
  private_key: string
  last_seq: number
  created_at: Timestamp
}

export interface PushSubscriptions {
  tenant_id: number
  session_id: string
  user_id: number
  endpoint_hash: Buffer
  subscription: string
  time_zone: string
  created_at: Timestamp
  last_success_at: Generated<Timestamp | null>
}

export interface QueueAssistants {
  tenant_id: number
  queue_id: number
  account_id: Generated<number | null>
  updated_at: Timestamp
}

export interface Queues {
  tenant_id: number
  id: GeneratedAlways<number>
  queue: string
  color: Generated<string>
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  business_hours: Generated<Json<BusinessDay[]> | null>
  message_business_hours: Generated<string>
  auto_close: Generated<Checked<'company' | 'own' | 'never'>>
  auto_close_time: Generated<Checked<'10' | '60' | '1440' | '7200' | '14400'>>
  auto_close_message: Generated<string>
  distribution: Generated<Checked<'N' | 'R' | 'B' | 'S' | null>>
  overflow_queue_id: Generated<number | null>
  overflow_minutes: Generated<number | null>
}

export interface RateLimits {
  key: string
  points: number
  expire: Generated<number | null>
}

export interface ReadingPositions {
  tenant_id: number
  user_id: number
  ticket_id: number
  message_at: Timestamp
  message_seq: number
  read_at: Timestamp
}

export interface Reasons {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface ReportChanges {
  tenant_id: number
  id: GeneratedAlways<number>
  began_at: Timestamp
  at: Timestamp
}

export interface ReportDays {
  tenant_id: number
  day: string
  version: string
}

export interface ReportFigures {
  tenant_id: number
  day: string
  measure: string
  split: string
  key: string
  is_group: boolean
  count: number
  total: number
}

export interface ReportState {
  tenant_id: number
  checked_at: Timestamp
  proved_at: Generated<Timestamp | null>
  proved_days: Generated<number>
  proved_figures: Generated<number>
  differences: Generated<Json>
}

export interface ReportViews {
  tenant_id: number
  id: GeneratedAlways<number>
  user_id: number
  name: string
  path: string
  search: Json
  body: Json
  frequency: Generated<Checked<'weekly' | 'monthly' | null>>
  recipients: Generated<unknown>
  next_at: Generated<Timestamp | null>
  sent_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface RuleRuns {
  tenant_id: number
  id: GeneratedAlways<number>
  rule_id: number
  event_key: string
  ticket_id: number
  outcome: Checked<'done' | 'same' | 'refused' | 'stopped'>
  steps: Generated<Json>
  at: Timestamp
  conditions: Generated<Json<Decided[]>>
}

export interface Rules {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  event: Checked<'opened' | 'received' | 'sent' | 'assigned' | 'closed'>
  is_active: Generated<boolean>
  position: number
  match: Generated<Checked<'all' | 'any'>>
  conditions: Generated<Json>
  actions: Json
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SchemaMigrations {
  name: string
  at: Generated<Timestamp>
}

export interface SecondFactors {
  tenant_id: number
  user_id: number
  secret: Generated<string | null>
  pending: Generated<string | null>
  last_step: Generated<number>
  recovery: Generated<Json<readonly string[]>>
  confirmed_at: Generated<Timestamp | null>
}

export interface Sessions {
  tenant_id: number
  id: string
  user_id: number
  refresh_hash: Buffer
  previous_hash: Generated<Buffer | null>
  previous_until: Generated<Timestamp | null>
  user_agent: Generated<string>
  ip: Generated<string>
  created_at: Generated<Timestamp>
  last_used_at: Generated<Timestamp>
  expires_at: Timestamp
  revoked_at: Generated<Timestamp | null>
  method: Generated<Checked<'password' | 'code' | 'passkey' | 'oidc' | 'masterkey'>>
  ends_at: Generated<Timestamp | null>
}

export interface Settings {
  tenant_id: number
  key: string
  value: string
  updated_at: Generated<Timestamp>
}

export interface SlaChanges {
  tenant_id: number
  id: GeneratedAlways<number>
  ticket_id: number
  at: Timestamp
  is_new: boolean
  facts: Json
}

export interface SlaCounted {
  tenant_id: number
  version: string
  position: Generated<number | null>
}

export interface SlaPolicies {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  is_active: Generated<boolean>
  position: number
  queue_ids: Generated<unknown>
  connection_ids: Generated<unknown>
  tag_ids: Generated<unknown>
  wallet_ids: Generated<unknown>
  first_minutes: Generated<number | null>
  next_minutes: Generated<number | null>
  solution_minutes: Generated<number | null>
  warn_percent: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface Stages {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  color: string
  position: number
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Tags {
  tenant_id: number
  id: GeneratedAlways<number>
  tag: string
  color: Generated<string>
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface TaskLogs {
  tenant_id: number
  id: GeneratedAlways<number>
  task_id: number
  type: Checked<'created' | 'changed' | 'finished' | 'reopened' | 'delayed'>
  user_id: Generated<number | null>
  changes: Generated<Json<Readonly<Record<string, [unknown, unknown]>>>>
  created_at: Timestamp
}

export interface Tasks {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  description: Generated<string>
  limit_date: string
  owner_id: Generated<number | null>
  user_id: Generated<number | null>
  status: Generated<Checked<'delayed' | 'pending' | 'finished'>>
  priority: Generated<Checked<'high' | 'medium' | 'low' | 'none'>>
  comments: Generated<string>
  recurrence: Generated<number>
  recurrence_times: Generated<number>
  ticket_id: Generated<number | null>
  contact_id: Generated<number | null>
  finished_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
  remind_at: Generated<Timestamp | null>
  reminded_at: Generated<Timestamp | null>
  opportunity_id: Generated<number | null>
}

export interface TeamMembers {
  tenant_id: number
  team_id: number
  user_id: number
}

export interface TeamPeriods {
  tenant_id: number
  id: GeneratedAlways<number>
  team_id: number
  user_id: number
  began_at: Timestamp
  ended_at: Generated<Timestamp | null>
  team_name: Generated<string | null>
}

export interface Teams {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface TemplateConstants {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  value: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TenantPayments {
  tenant_id: number
  id: string
  status: string
  due_date: string
  value: string
  paid_at: Generated<string | null>
  bank_slip_url: Generated<string | null>
  invoice_url: Generated<string | null>
}

export interface Tenants {
  id: GeneratedAlways<number>
  name: string
  status: Generated<Checked<'active' | 'inactive'>>
  owner_id: Generated<number | null>
  max_users: Generated<number>
  max_connections: Generated<number>
  timezone: Generated<string>
  identity: Generated<string>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  plan_id: Generated<number | null>
  trial_ends_at: Generated<Timestamp | null>
  domains: Generated<string[]>
  allowed_channels: Generated<string[] | null>
  trial_started_at: Generated<Timestamp | null>
  excluded_features: Generated<string[]>
  max_assistant_answers: Generated<number>
  billed_since: Generated<Timestamp | null>
  billing_claimed_at: Generated<Timestamp | null>
  asaas_customer_id: Generated<string | null>
  asaas_subscription_id: Generated<string | null>
  overdue_since: Generated<string | null>
  payments_read_at: Generated<Timestamp | null>
}

export interface TicketClocks {
  tenant_id: number
  ticket_id: number
  policy_id: Generated<number | null>
  clocks: Json<Clocks>
  look_at: Generated<Timestamp | null>
}

export interface TicketEvaluations {
  tenant_id: number
  id: GeneratedAlways<number>
  ticket_id: number
  contact_id: number
  connection_id: number
  conversation_key: string
  user_id: Generated<number | null>
  queue_id: Generated<number | null>
  closed_at: Timestamp
  status: Generated<Checked<'asked' | 'answered' | 'invalid' | 'expired' | 'left'>>
  evaluation: Generated<number | null>
  attempts: Generated<number>
  asked_at: Timestamp
  expires_at: Timestamp
  answered_at: Generated<Timestamp | null>
}

export interface TicketFollowers {
  tenant_id: number
  ticket_id: number
  user_id: number
  created_at: Timestamp
}

export interface TicketGroupUsers {
  tenant_id: number
  ticket_id: number
  user_id: number
}

export interface TicketLogs {
  tenant_id: number
  id: GeneratedAlways<number>
  ticket_id: number
  type: Checked<TicketLogType>
  user_id: Generated<number | null>
  queue_id: Generated<number | null>
  data: Generated<Json<LogData>>
  created_at: Generated<Timestamp>
}

export interface TicketMerges {
  tenant_id: number
  ticket_id: number
  into_id: number
  before: Json
  into_before: Json
  into_after: Json
  created_at: Generated<Timestamp>
}

export interface TicketTags {
  tenant_id: number
  ticket_id: number
  tag_id: number
}

export interface TicketViews {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  filter: Generated<Json>
  audience: Generated<Checked<'person' | 'queue' | 'company'>>
  queue_id: Generated<number | null>
  user_id: Generated<number | null>
  position: number
  deleted_at: Generated<Timestamp | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TicketWaits {
  tenant_id: number
  ticket_id: number
  since: Timestamp
  queue_id: Generated<number | null>
  queue_since: Timestamp
  visited: Generated<unknown>
}

export interface Tickets {
  tenant_id: number
  id: GeneratedAlways<number>
  status: Checked<'open' | 'pending' | 'closed'>
  user_id: Generated<number | null>
  queue_id: Generated<number | null>
  connection_id: number
  contact_id: number
  conversation_key: string
  channel: string
  is_group: Generated<boolean>
  unread_messages: Generated<number>
  answered: Generated<boolean>
  last_message: Generated<string>
  last_message_from_me: Generated<boolean>
  last_message_status: Generated<string>
  last_message_at: Generated<Timestamp>
  last_message_received_at: Generated<Timestamp | null>
  waiting_since: Generated<Timestamp | null>
  kanban: Generated<number | null>
  chat_flow_id: Generated<number | null>
  assistants: Generated<Json<Readonly<Record<string, boolean>>>>
  is_active_demand: Generated<boolean>
  is_farewell_message: Generated<boolean>
  value: Generated<string | null>
  reason_id: Generated<number | null>
  closed_reason: Generated<string | null>
  started_attendance_at: Generated<Timestamp | null>
  closed_at: Generated<Timestamp | null>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  sent_counts: Generated<Json>
  revision: Generated<number>
  changed_by: Generated<number | null>
  changed_at: Generated<Timestamp | null>
  chat_flow_node: Generated<string | null>
  bot_retries: Generated<number>
  paused_at: Generated<Timestamp | null>
  total_paused_ms: Generated<number>
  snoozed_until: Generated<Timestamp | null>
  last_message_sender: Generated<string | null>
  origin_contact_id: Generated<number | null>
  sla_state: Generated<Checked<'running' | 'warned' | 'missed' | null>>
  sla_clock: Generated<Checked<'first' | 'next' | 'solution' | null>>
  sla_since: Generated<Timestamp | null>
  sla_due_at: Generated<Timestamp | null>
}

export interface Tutorials {
  tenant_id: number
  id: GeneratedAlways<number>
  title: string
  description: Generated<string>
  link: string
  is_active: Generated<boolean>
  position: number
  file_id: Generated<string | null>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface UserConnections {
  tenant_id: number
  user_id: number
  connection_id: number
}

export interface UserQueues {
  tenant_id: number
  user_id: number
  queue_id: number
}

export interface Users {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  email: string
  username: Generated<string | null>
  password_hash: Generated<string | null>
  profile: Generated<Checked<'user' | 'super' | 'admin' | 'superadmin'>>
  phone: Generated<string>
  is_online: Generated<boolean>
  is_active: Generated<boolean>
  is_support: Generated<boolean>
  restricted_user: Generated<boolean>
  block_wavoip: Generated<boolean>
  menu_permissions: Generated<Json<MenuVisibility>>
  configs: Generated<Json<UserConfigs>>
  token_version: Generated<number>
  last_login: Generated<Timestamp | null>
  last_online: Generated<Timestamp | null>
  last_logout: Generated<Timestamp | null>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  business_hours: Generated<Json<BusinessDay[]> | null>
  deleted_at: Generated<Timestamp | null>
  proven_email: Generated<string | null>
  waiting_email: Generated<string | null>
  capacity: Generated<number | null>
  away_until: Generated<Timestamp | null>
  left_at: Generated<Timestamp | null>
}

export interface VoiceDevices {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  number: Generated<string>
  secrets: Generated<Json<StoredSecrets>>
  is_active: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface WebchatVisitors {
  tenant_id: number
  id: string
  connection_id: number
  token_hash: Buffer
  contact_id: Generated<number | null>
  name: Generated<string>
  page: Generated<string>
  created_at: Generated<Timestamp>
  last_seen_at: Generated<Timestamp>
  form: Generated<Json>
  consent: Generated<string>
  consented_at: Generated<Timestamp | null>
  language: Generated<Checked<'pt' | 'en' | 'es'>>
  joined: Generated<string | null>
}

export interface WebhookAttempts {
  tenant_id: number
  id: GeneratedAlways<number>
  delivery_id: string
  at: Timestamp
  http_status: Generated<number | null>
  problem: Generated<string | null>
  ms: number
  answer: Generated<string>
}

export interface WebhookCursors {
  tenant_id: number
  last_seq: number
}

export interface WebhookDeliveries {
  tenant_id: number
  id: string
  endpoint_id: number
  seq: number
  type: string
  body: string
  contact_id: Generated<number | null>
  status: Checked<'pending' | 'delivered' | 'failed'>
  tries: Generated<number>
  due_at: Timestamp
  lease_until: Generated<Timestamp | null>
  http_status: Generated<number | null>
  problem: Generated<string | null>
  created_at: Timestamp
  ended_at: Generated<Timestamp | null>
}

export interface WebhookEndpoints {
  tenant_id: number
  id: GeneratedAlways<number>
  name: string
  url: string
  events: string[]
  connection_ids: Generated<unknown>
  queue_ids: Generated<unknown>
  is_active: Generated<boolean>
  of_settings: Generated<boolean>
  secret: string
  old_secret: Generated<string | null>
  old_secret_until: Generated<Timestamp | null>
  authorization_value: Generated<string | null>
  after_seq: Generated<number>
  failing_since: Generated<Timestamp | null>
  failures: Generated<number>
  last_delivered_at: Generated<Timestamp | null>
  off_reason: Generated<Checked<'gone' | 'failing' | null>>
  off_at: Generated<Timestamp | null>
  user_id: Generated<number | null>
  created_at: Timestamp
  updated_at: Timestamp
  source: Generated<string | null>
  format: Generated<string>
}

export interface DB {
  announcements: Announcements
  api_keys: ApiKeys
  assistant_calls: AssistantCalls
  assistant_sessions: AssistantSessions
  assistant_turns: AssistantTurns
  assistant_warnings: AssistantWarnings
  audit_heads: AuditHeads
  audit_log: AuditLog
  auto_replies: AutoReplies
  birthday_greetings: BirthdayGreetings
  birthday_settings: BirthdaySettings
  bulk_items: BulkItems
  bulk_messages: BulkMessages
  bulk_operations: BulkOperations
  calendar_events: CalendarEvents
  calendar_syncs: CalendarSyncs
  calls: Calls
  changes: Changes
  channel_groups: ChannelGroups
  channel_uploads: ChannelUploads
  chat_flow_versions: ChatFlowVersions
  chat_flows: ChatFlows
  connection_assistants: ConnectionAssistants
  connection_leases: ConnectionLeases
  connection_outages: ConnectionOutages
  connection_paces: ConnectionPaces
  connection_requests: ConnectionRequests
  connection_state: ConnectionState
  connections: Connections
  consents: Consents
  contact_changes: ContactChanges
  contact_field_values: ContactFieldValues
  contact_fields: ContactFields
  contact_identities: ContactIdentities
  contact_import_blocks: ContactImportBlocks
  contact_import_changes: ContactImportChanges
  contact_import_rows: ContactImportRows
  contact_imports: ContactImports
  contact_merges: ContactMerges
  contact_tags: ContactTags
  contact_views: ContactViews
  contact_wallets: ContactWallets
  contacts: Contacts
  directory: Directory
  dispatch_items: DispatchItems
  dispatch_lanes: DispatchLanes
  dispatch_ticks: DispatchTicks
  dispatches: Dispatches
  distinct_contacts: DistinctContacts
  distribution_turns: DistributionTurns
  drafts: Drafts
  farewells: Farewells
  fast_replies: FastReplies
  fast_reply_files: FastReplyFiles
  feed_heads: FeedHeads
  files: Files
  flow_cases: FlowCases
  flow_events: FlowEvents
  flow_files: FlowFiles
  flow_replay_sessions: FlowReplaySessions
  flow_replays: FlowReplays
  flow_secrets: FlowSecrets
  flow_sessions: FlowSessions
  flow_steps: FlowSteps
  forgotten_contacts: ForgottenContacts
  group_arrivals: GroupArrivals
  group_job_items: GroupJobItems
  group_jobs: GroupJobs
  group_lanes: GroupLanes
  group_members: GroupMembers
  group_rules: GroupRules
  group_strikes: GroupStrikes
  history_imports: HistoryImports
  idempotency_keys: IdempotencyKeys
  installation: Installation
  journal: Journal
  journal_processed: JournalProcessed
  lab_group_members: LabGroupMembers
  lab_messages: LabMessages
  lab_phones: LabPhones
  link_cards: LinkCards
  macros: Macros
  mcp_approvals: McpApprovals
  mcp_effects: McpEffects
  media_downloads: MediaDownloads
  mentions: Mentions
  message_acts: MessageActs
  message_html: MessageHtml
  message_templates: MessageTemplates
  message_texts: MessageTexts
  message_trail: MessageTrail
  messages: Messages
  notifications: Notifications
  number_changes: NumberChanges
  number_states: NumberStates
  opportunities: Opportunities
  opportunity_field_values: OpportunityFieldValues
  opportunity_fields: OpportunityFields
  opportunity_history: OpportunityHistory
  opportunity_notes: OpportunityNotes
  passkeys: Passkeys
  pinned_messages: PinnedMessages
  pipeline_action_logs: PipelineActionLogs
  pipeline_actions: PipelineActions
  pipeline_stages: PipelineStages
  pipeline_sums: PipelineSums
  pipelines: Pipelines
  plans: Plans
  platform_audit_head: PlatformAuditHead
  platform_audit_log: PlatformAuditLog
  presence_periods: PresencePeriods
  private_messages: PrivateMessages
  private_positions: PrivatePositions
  private_reactions: PrivateReactions
  provider_apps: ProviderApps
  provider_settings: ProviderSettings
  provider_signups: ProviderSignups
  provider_webhooks: ProviderWebhooks
  proxies: Proxies
  push_notices: PushNotices
  push_senders: PushSenders
  push_subscriptions: PushSubscriptions
  queue_assistants: QueueAssistants
  queues: Queues
  rate_limits: RateLimits
  reading_positions: ReadingPositions
  reasons: Reasons
  report_changes: ReportChanges
  report_days: ReportDays
  report_figures: ReportFigures
  report_state: ReportState
  report_views: ReportViews
  rule_runs: RuleRuns
  rules: Rules
  schema_migrations: SchemaMigrations
  second_factors: SecondFactors
  sessions: Sessions
  settings: Settings
  sla_changes: SlaChanges
  sla_counted: SlaCounted
  sla_policies: SlaPolicies
  stages: Stages
  tags: Tags
  task_logs: TaskLogs
  tasks: Tasks
  team_members: TeamMembers
  team_periods: TeamPeriods
  teams: Teams
  template_constants: TemplateConstants
  tenant_payments: TenantPayments
  tenants: Tenants
  ticket_clocks: TicketClocks
  ticket_evaluations: TicketEvaluations
  ticket_followers: TicketFollowers
  ticket_group_users: TicketGroupUsers
  ticket_logs: TicketLogs
  ticket_merges: TicketMerges
  ticket_tags: TicketTags
  ticket_views: TicketViews
  ticket_waits: TicketWaits
  tickets: Tickets
  tutorials: Tutorials
  user_connections: UserConnections
  user_queues: UserQueues
  users: Users
  voice_devices: VoiceDevices
  webchat_visitors: WebchatVisitors
  webhook_attempts: WebhookAttempts
  webhook_cursors: WebhookCursors
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
}
