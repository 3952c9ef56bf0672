import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id, idParams, pageAnswer, pageQuery } from '#kit/fields.ts'
import { userDetail, userFields, userRow } from './contract.ts'

const tenantRow = userRow.omit({ queues: true, isOnline: true }).extend({
  tenantId: z.number().int(),
  tenantName: z.string(),
})

/** A user of any company, as the superadmin's list shows it. */
export type TenantUser = z.output<typeof tenantRow>

const { queueIds: _, whatsappIds: __, ...fields } = userFields
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
const touches = ['userTenants', 'users']

/** The users of all companies, for who runs the installation; the company is named in every change. */
export const userTenants = contract('userTenants', {
  list: {
    method: 'GET',
    path: '/userTenants',
    summary: 'Usuários de todas as empresas, por empresa e nome',
    can: 'platform:read',
    mode: 'slow',
    query: pageQuery.extend({ tenantId: id.optional() }),
    returns: z.object({ users: z.array(tenantRow), ...pageAnswer }),
  },
  companies: {
    method: 'GET',
    path: '/userTenants/companies',
    summary: 'As empresas por nome, e quanto do plano está em uso',
    can: 'platform:read',
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
    method: 'POST',
    path: '/userTenants',
    summary: 'Novo usuário de uma empresa; sem senha, é convidado por e-mail quando há como enviar',
    can: 'platform:write',
    mode: 'slow',
    body: changes.required({ name: true, email: true, profile: true }),
    returns: userDetail.extend({ isMailed: z.boolean() }),
    errors: refusals,
    touches,
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/userTenants/:id',
    summary: 'Alterar um usuário de uma empresa; o que não vem no pedido fica como está',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: changes,
    returns: userDetail,
    errors: ['ERR_NO_USER_FOUND', 'ERR_OWN_ACCESS', ...refusals],
    touches,
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/userTenants/:id',
    summary: 'Excluir um usuário de uma empresa',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: z.strictObject({ tenantId: id }),
    returns: done,
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_TENANT_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS', 'ERR_LAST_ADMIN'],
    touches,
    audit: true,
  },
  invite: {
    method: 'PUT',
    path: '/userTenants/:id/invite',
    summary: 'Convidar de novo um usuário de uma empresa; sem e-mail configurado, o link é respondido',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: z.strictObject({ tenantId: id }),
    returns: z.object({ isMailed: z.boolean(), link: z.string().nullable() }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_TENANT_FOUND', 'ERR_NO_PERMISSION', 'ERR_OWN_ACCESS'],
    audit: true,
  },
})
