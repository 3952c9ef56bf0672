import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id, pageAnswer, pageQuery } from '#kit/fields.ts'
import { userDetail, userRow } from './contract.ts'
import { userFields } from './forms.ts'
import * as at from './user-tenants-addresses.ts'

const tenantRow = userRow.omit({ queues: true, isOnline: true }).extend({
  tenantId: z.number().int(),
  tenantName: z.string(),
})

/** User of any company, as the superadmin's list returns it. */
export type TenantUser = z.output<typeof tenantRow>

const { queueIds: _, whatsappIds: __, capacity: ___, ...fields } = userFields
const changes = z
  .strictObject({ ...fields, tenantId: id })
  .partial()
  .required({ tenantId: true })

const refusals = [
  'ERR_NO_TENANT_FOUND',
  'ERR_NO_PERMISSION',
  'ERR_LAST_ADMIN',
  'ERR_MAX_USERS',
  'ERR_DUPLICATED',
] as const

/** API contract of the users of all companies, for the superadmin; every change names the company. */
export const userTenants = contract(at.userTenants, {
  list: {
    summary: 'Usuários de todas as empresas, por empresa e nome',
    mode: 'slow',
    query: pageQuery.extend({ tenantId: id.optional() }),
    returns: z.object({ users: z.array(tenantRow), ...pageAnswer }),
  },
  companies: {
    summary: 'As empresas por nome, e quanto do plano está em uso',
    mode: 'slow',
    query: pageQuery,
    returns: z.object({
      companies: z.array(
        z.object({ id: z.number().int(), name: z.string(), used: z.number().int(), max: z.number().int() }),
      ),
      ...pageAnswer,
    }),
  },
  create: {
    summary: 'Novo usuário de uma empresa; sem senha, é convidado por e-mail quando há como enviar',
    mode: 'slow',
    body: changes.required({ name: true, email: true, profile: true }),
    returns: userDetail.extend({ isMailed: z.boolean() }),
    errors: refusals,
    audit: true,
  },
  update: {
    summary: 'Alterar um usuário de uma empresa; o que não vem no pedido fica como está',
    mode: 'slow',
    body: changes,
    returns: userDetail,
    errors: ['ERR_NO_USER_FOUND', 'ERR_OWN_ACCESS', ...refusals],
    audit: true,
  },
  remove: {
    summary: 'Excluir um usuário de uma empresa',
    mode: 'slow',
    body: z.strictObject({ tenantId: id }),
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_TENANT_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS', 'ERR_LAST_ADMIN'],
    audit: true,
  },
  invite: {
    summary: 'Convidar de novo um usuário de uma empresa; sem e-mail configurado, o link é respondido',
    mode: 'slow',
    body: z.strictObject({ tenantId: id }),
    returns: z.object({ isMailed: z.boolean(), link: z.string().nullable() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_TENANT_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    userTenants: typeof userTenants
  }
}
