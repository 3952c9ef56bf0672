import type { MenuVisibility } from '#domain/access/menu.ts'
import type { Permitted } from '#domain/access/permissions.ts'
import { type Profile, seesWide } from '#domain/access/profiles.ts'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { Criteria } from '#domain/criteria.ts'
import { keysIn, recordOf } from '#domain/keys.ts'
import { numberPair } from '#domain/text.ts'
import { closeKeywordsOf } from '#domain/tickets/close-keywords.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { accessTo, type VisibilitySettings } from '#domain/tickets/visibility.ts'
import { type Permission, refusalCode } from '#kit/permissions.ts'
import { isOn, settingsRegistry, type TenantSettings } from '#kit/settings.ts'
import type { Database, Queryable } from './db/db.ts'

/** User, as rules and handlers see it. */
export type Actor = {
  readonly id: number
  readonly tenantId: number
  readonly name: string
  readonly profile: Profile
  readonly isSupport: boolean
  readonly queueIds: readonly number[]
  readonly connectionIds: readonly number[]
  readonly menuPermissions: MenuVisibility
  readonly restrictedUser: boolean
  /** Whether voice calls are blocked for the user. */
  readonly isCallBlocked: boolean
  /** Whether another person opened the account with the master key. */
  readonly byMasterKey?: boolean
  readonly tokenVersion: number
  /** Username for the login; null if the e-mail is the login name. */
  readonly entersBy: string | null
  /** Personal business hours; empty: none. */
  readonly businessHours: readonly BusinessDay[]
  /** Undo delay of sent messages, in seconds. */
  readonly undoSeconds: number
  /** Scopes of a program that acts for the user: the most that it may do. */
  readonly scopes?: readonly string[]
}

/** Facts that a person's permissions depend on beside the tenant's settings, and the login name used. */
export type Person = Pick<
  Actor,
  'profile' | 'isSupport' | 'restrictedUser' | 'byMasterKey' | 'menuPermissions' | 'entersBy'
>

/** Returns the permission facts of a person's row. */
export const personOf = (row: {
  profile: Profile
  is_support: boolean
  restricted_user: boolean
  menu_permissions: MenuVisibility
  email: string
  username: string | null
  waiting_email: string | null
}): Person => ({
  profile: row.profile,
  isSupport: row.is_support,
  restrictedUser: row.restricted_user,
  menuPermissions: row.menu_permissions,
  entersBy: row.waiting_email === row.email ? row.username : null,
})

/** Reads one user for the cache; null when the user is gone or inactive. */
export async function loadActor(db: Database, key: string): Promise<Actor | null> {
  const [tenantId, id] = numberPair(key, ':')
  return db.read(tenantId, (tenant) => readActor(tenant, tenantId, id))
}

/** Reads one user on a client of the tenant. */
export const readActor = async (tenant: Queryable, tenantId: number, id: number): Promise<Actor | null> =>
  (await readActors(tenant, tenantId, [id]))[0] ?? null

/** Reads the active ones of these users, in sets, by name. */
export async function readActors(tenant: Queryable, tenantId: number, ids: readonly number[]): Promise<Actor[]> {
  const users = await tenant
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', ids)
    .where('is_active', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const queues = await tenant.selectFrom('user_queues').selectAll().where('user_id', 'in', ids).execute()
  const connections = await tenant.selectFrom('user_connections').selectAll().where('user_id', 'in', ids).execute()
  return users.map((user) => ({
    id: user.id,
    tenantId,
    name: user.name,
    ...personOf(user),
    queueIds: queues.filter((row) => row.user_id === user.id).map((row) => row.queue_id),
    connectionIds: connections.filter((row) => row.user_id === user.id).map((row) => row.connection_id),
    tokenVersion: user.token_version,
    businessHours: user.business_hours ?? [],
    undoSeconds: user.configs.preferences?.undoSeconds ?? 0,
    isCallBlocked: user.block_wavoip,
  }))
}

/** Reads the settings of one tenant for the cache, with defaults. */
export async function loadSettings(db: Database, key: string): Promise<TenantSettings> {
  const tenantId = Number(key)
  return db.read(tenantId, async (tenant) => {
    const rows = await tenant.selectFrom('settings').select(['key', 'value']).execute()
    const stored = new Map(rows.map((row) => [row.key, row.value]))
    const keys = keysIn(settingsRegistry)
    const about = await tenant
      .selectFrom('tenants')
      .select(['name', 'timezone', 'status', 'owner_id', 'allowed_channels', 'excluded_features', 'overdue_since'])
      .executeTakeFirstOrThrow()
    // Users who left or are inactive get no tickets.
    const owner = await tenant
      .selectFrom('users')
      .select('id')
      .where('id', '=', about.owner_id ?? 0)
      .where('is_active', '=', true)
      .executeTakeFirst()
    const queue = await tenant.selectFrom('queues').select('id').limit(1).executeTakeFirst()
    const queuesWithHours = await tenant
      .selectFrom('queues')
      .select(['id', 'business_hours', 'message_business_hours'])
      .where((w) => w.or([w('business_hours', 'is not', null), w('message_business_hours', '<>', '')]))
      .execute()
    const connections = await tenant
      .selectFrom('connections')
      .select(['id', 'close_keywords', 'ignores_hours'])
      .where((w) => w.or([w('close_keywords', '<>', ''), w('ignores_hours', '=', true)]))
      .where('is_deleted', '=', false)
      .execute()
    return {
      values: recordOf(keys, (key) => stored.get(key) ?? settingsRegistry[key].default),
      tenantHasQueues: queue !== undefined,
      queueHours: Object.fromEntries(
        queuesWithHours.map((row) => [row.id, { week: row.business_hours ?? [], message: row.message_business_hours }]),
      ),
      closeKeywords: Object.fromEntries(connections.map((row) => [row.id, closeKeywordsOf(row.close_keywords)])),
      withoutHours: new Set(connections.flatMap(({ id, ignores_hours }) => (ignores_hours ? [id] : []))),
      ownerId: owner?.id ?? null,
      timezone: about.timezone,
      tenantName: about.name,
      tenantStatus: about.status,
      isOverdue: about.overdue_since !== null,
      plan: { channels: about.allowed_channels, excluded: about.excluded_features },
    }
  })
}

/** Converts the settings for the visibility rules. */
export const visibilitySettings = (settings: TenantSettings): VisibilitySettings => ({
  showGroupsForAll: isOn(settings, 'showGroupsForAll'),
  showClosedForAll: isOn(settings, 'showClosedForAll'),
  supervisorsLimited: isOn(settings, 'supervisorAdmin'),
  nullTickets: isOn(settings, 'nullTickets'),
  notViewTicketsChatBot: isOn(settings, 'NotViewTicketsChatBot'),
  directTicketsToWallets: isOn(settings, 'DirectTicketsToWallets'),
  notViewAssignedTickets: isOn(settings, 'NotViewAssignedTickets'),
  tenantHasQueues: settings.tenantHasQueues,
  showChatBot: isOn(settings, 'showChatBot'),
})

type Rights = { settings: TenantSettings; criteria: Criteria<TicketFacts>; permitted: Permitted }
const known = new WeakMap<Actor, Rights>()

// Computed once per version of the user and the settings.
function rightsOf(actor: Actor, settings: TenantSettings): Rights {
  const before = known.get(actor)
  if (before?.settings === settings) return before
  const criteria = accessTo(actor, visibilitySettings(settings))
  const rights: Rights = { settings, criteria, permitted: permittedOf(actor, settings) }
  known.set(actor, rights)
  return rights
}

/** Returns the criteria of the tickets that this user may see. */
export const accessOf = (actor: Actor, settings: TenantSettings): Criteria<TicketFacts> =>
  rightsOf(actor, settings).criteria

/** Returns the inputs of a user's permissions. */
export const permittedOf = (
  { profile, isSupport, restrictedUser, byMasterKey = false, menuPermissions }: Person,
  settings: TenantSettings,
): Required<Permitted> => ({
  profile,
  isSupport,
  restrictedUser,
  byMasterKey,
  menuPermissions,
  menuVisibility: JSON.parse(settings.values.menuVisibility),
  supervisorsLimited: isOn(settings, 'supervisorAdmin'),
  isOverdue: settings.isOverdue,
  plan: settings.plan,
})

/**
 * Whether the user may start conversations on a connection: users with the wide view, and users without a list of
 * connections, may on all.
 */
export const mayUseConnection = (actor: Actor, settings: TenantSettings, connectionId: number): boolean =>
  seesWide(actor, isOn(settings, 'supervisorAdmin')) ||
  actor.connectionIds.length === 0 ||
  actor.connectionIds.includes(connectionId)

const programs = new WeakMap<Actor, Map<string, Actor>>()

/** Returns the user as acted for by a program: restricted to these permissions, and without undo delay. */
export function withScopes(actor: Actor, scopes: readonly string[]): Actor {
  const own = programs.get(actor) ?? new Map<string, Actor>()
  programs.set(actor, own)
  const key = scopes.join()
  const known = own.get(key) ?? { ...actor, scopes, undoSeconds: 0 }
  own.set(key, known)
  return known
}

/** Whether this user has the permission now. */
export const may = (actor: Actor, settings: TenantSettings, permission: Permission): boolean =>
  whyRefused(actor, settings, permission) === null

/** Returns the error code with which this user is refused the permission; null if they have it. */
export const whyRefused = (actor: Actor, settings: TenantSettings, permission: Permission) =>
  actor.scopes && !actor.scopes.includes(permission)
    ? 'ERR_NO_PERMISSION'
    : refusalCode(rightsOf(actor, settings).permitted, permission)
