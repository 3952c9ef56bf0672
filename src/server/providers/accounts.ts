import { z } from 'zod'
import { present } from '#domain/present.ts'
import { type ErrorCode, fail, required } from '#kit/errors.ts'
import {
  NO_VALUES,
  type ProviderConfig,
  type ProviderFields,
  type ProviderValues,
  type StoredValues,
  shapeOf,
  shownValues,
  startValues,
} from '#kit/provider.ts'
import type { Ctx, ReadCtx } from '../context.ts'
import { readInput } from '../http/answer-error.ts'
import type { Platform } from '../platform.ts'
import { encryptionAt } from './encryption.ts'
import {
  chooseDefaultAccount,
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  lockAccount,
  type StoredAccount,
  updateAccount,
} from './queries.ts'

/** Entered form of an account; `config` and `secrets` may contain names that its provider does not use. */
export type AccountForm = {
  readonly provider: string
  readonly name: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly config: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
}

/** Account for display; secrets are masked. */
export type ShownAccount = {
  readonly id: number
  readonly provider: string
  readonly name: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly config: ProviderValues
  readonly secrets: Readonly<Record<string, string>>
  readonly state: object
}

/**
 * Accounts of one kind of provider, several per company, one of them each provider's default: list, save, read with
 * secrets. The feature passes in the configs. `notFound` is the error code of 404.
 */
export function providerAccounts<C extends ProviderConfig>({
  kind,
  configs,
  notFound,
}: {
  kind: string
  configs: readonly C[]
  notFound: ErrorCode
}) {
  const configOf = (provider: string): C | undefined => configs.find(({ id }) => id === provider)

  const shown = (row: StoredAccount): ShownAccount => shownAccount(configOf(row.provider)?.fields ?? {}, row)

  return {
    configOf,
    shown,
    list: async (ctx: Pick<ReadCtx, 'db'>): Promise<ShownAccount[]> => (await listAccounts(ctx.db, kind)).map(shown),

    /** Creates an account; the first of a provider is its default. */
    async create(ctx: Ctx, form: AccountForm): Promise<ShownAccount> {
      const config = configOf(form.provider)
      if (!config) return fail('ERR_VALIDATION', { provider: UNKNOWN })
      const id = await makeAccount(ctx, kind, config, form)
      const made = shown(present(await findAccount(ctx.db, kind, id)))
      ctx.audit({ after: made })
      return made
    },

    /** Updates an account; omitted values and masked secrets stay unchanged. */
    async save(ctx: Ctx, id: number, form: Partial<Omit<AccountForm, 'provider'>>): Promise<ShownAccount> {
      const row = required(await lockAccount(ctx.db, kind, id), notFound)
      const config = required(configOf(row.provider), notFound)
      await changeAccount(ctx, kind, row, config, form)
      const saved = shown(present(await findAccount(ctx.db, kind, id)))
      ctx.audit({ before: shown(row), after: saved })
      return saved
    },

    async remove(ctx: Ctx, id: number): Promise<void> {
      const row = required(await lockAccount(ctx.db, kind, id), notFound)
      await deleteAccount(ctx.db, kind, id)
      ctx.audit({ before: shown(row) })
    },

    /** Returns the values of an account that is not stored yet for its adapter. */
    filled: (provider: string, form: Pick<AccountForm, 'config' | 'secrets'>): ProviderValues =>
      checked(configOf(provider) ?? fail('ERR_VALIDATION', { provider: UNKNOWN }), form, {}),

    /** Returns an account's values for its adapter: secrets decrypted, missing ones with the form's initial values. */
    plain: (platform: Platform, tenantId: number, row: StoredAccount): ProviderValues => ({
      ...startValues(configOf(row.provider)?.fields ?? {}),
      ...encryptionAt(platform, boundTo(tenantId, row.id)).plain(valuesOf(row)),
    }),
  }
}

/** Stores a new account; the first of its provider is the default. */
async function makeAccount(ctx: Ctx, kind: string, config: ProviderConfig, form: AccountForm): Promise<number> {
  const isFirst = !(await listAccounts(ctx.db, kind)).some(({ provider }) => provider === form.provider)
  const name = form.name.trim() || config.name
  const id = await insertAccount(ctx.db, { kind, provider: form.provider, name, now: ctx.now })
  const values = merged(ctx, id, config, form, NO_VALUES)
  await updateAccount(ctx.db, id, { values, isActive: form.isActive }, ctx.now)
  if (form.isDefault || isFirst) await chooseDefaultAccount(ctx.db, kind, form.provider, id)
  return id
}

async function changeAccount(
  ctx: Ctx,
  kind: string,
  row: StoredAccount,
  config: ProviderConfig,
  form: Partial<Omit<AccountForm, 'provider'>>,
): Promise<void> {
  const { name, isActive = row.is_active, isDefault } = form
  const values = merged(
    ctx,
    row.id,
    config,
    { isActive, config: form.config ?? {}, secrets: form.secrets ?? {} },
    valuesOf(row),
  )
  const renamed = name === undefined ? {} : { name: name.trim() || config.name }
  await updateAccount(ctx.db, row.id, { values, isActive, ...renamed }, ctx.now)
  if (isDefault) await chooseDefaultAccount(ctx.db, kind, row.provider, row.id)
  if (isDefault === false) await updateAccount(ctx.db, row.id, { isDefault: false }, ctx.now)
}

function shownAccount(fields: ProviderFields, row: StoredAccount): ShownAccount {
  const isSecret = (name: string) => fields[name]?.kind === 'secret'
  const shown = Object.entries(shownValues(fields, valuesOf(row)))
  return {
    ...{ id: row.id, provider: row.provider, name: row.name, isActive: row.is_active, isDefault: row.is_default },
    config: Object.fromEntries(shown.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(shown.flatMap(([name, value]) => (isSecret(name) ? [[name, String(value)]] : []))),
    state: row.state,
  }
}

function checked(
  { fields }: Pick<ProviderConfig, 'fields'>,
  form: Pick<Given, 'config' | 'secrets'>,
  before: ProviderValues,
): ProviderValues {
  const given = Object.entries({ ...form.config, ...form.secrets }).filter(([name]) => name in fields)
  const shape = z.object({ config: z.object(shapeOf(fields, { isDraft: true })) })
  return readInput(shape, { config: { ...startValues(fields), ...before, ...Object.fromEntries(given) } }).config
}

/** Merges a form into the stored values. A draft may leave empty what an active account requires. */
function merged(
  ctx: Pick<Ctx, 'platform' | 'tenantId'>,
  id: number,
  { fields }: ProviderConfig,
  form: Given,
  before: StoredValues,
) {
  const values = checked({ fields }, form, shownValues(fields, before))
  const encryption = encryptionAt(ctx.platform, boundTo(ctx.tenantId, id))
  return encryption.merge(fields, values, before, { prefix: 'config.', isActive: form.isActive })
}

type Given = Pick<AccountForm, 'isActive' | 'config' | 'secrets'>

const UNKNOWN = 'Provedor desconhecido.'

const boundTo = (tenantId: number, id: number): string => `${tenantId}/provider_accounts/${id}`
const valuesOf = ({ config, secrets }: StoredAccount) => ({ config, secrets })
