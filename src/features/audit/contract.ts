import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { day, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'

const auditRecord = z.object({
  seq: z.number().int(),
  at: isoTime,
  action: z.string(),
  summary: z.string(),
  /** 'ok', or the error code of the refusal. */
  result: z.string(),
  /** Text of that error. */
  refusal: z.string().nullable(),
  userId: z.number().int().nullable(),
  userName: z.string(),
  profile: z.string(),
  isSupport: z.boolean(),
  /** Login method of the session: 'password', 'code', 'passkey', 'oidc', 'masterkey'; 'api' without a session. */
  method: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  requestId: z.string(),
  /** Names and ids of the affected records. */
  target: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Changed fields; secret ones without values. */
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }).partial()),
})

/** Record of the audit log. */
export type AuditRow = z.output<typeof auditRecord>

const filter = pageQuery.extend({
  user: id.optional(),
  action: z.string().max(100).optional(),
  /** First and last day, in the company's zone. */
  from: day.optional(),
  to: day.optional(),
  result: z.enum(['ok', 'refused']).optional(),
})
const page = z.object({ records: z.array(auditRecord), ...pageAnswer })
const optionsQuery = pageQuery.pick({ cursor: true })
/** Users by id, in pages; the actions come with the first page. */
const options = z.object({
  users: z.array(z.object({ id: z.number().int(), name: z.string() })),
  actions: z.array(z.object({ action: z.string(), summary: z.string() })),
  nextCursor: z.string().nullable(),
})
const check = z.object({ records: z.number().int(), faults: z.array(z.string()) })

/** API contract of the audit logs of the company and of the installation. */
export const audit = contract(at.audit, {
  list: {
    summary: 'Auditoria da empresa, do mais novo ao mais antigo',
    query: filter,
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  options: {
    summary: 'Auditoria da empresa: pessoas e ações que aparecem nela',
    query: optionsQuery,
    returns: options,
  },
  verify: {
    summary: 'Auditoria da empresa: conferir a cadeia de registros, do primeiro ao último',
    mode: 'slow',
    returns: check,
  },
  platformList: {
    summary: 'Auditoria da instalação, do mais novo ao mais antigo',
    mode: 'slow',
    query: filter,
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  platformOptions: {
    summary: 'Auditoria da instalação: pessoas e ações que aparecem nela',
    mode: 'slow',
    query: optionsQuery,
    returns: options,
  },
  platformVerify: {
    summary: 'Auditoria da instalação: conferir a cadeia de registros, do primeiro ao último',
    mode: 'slow',
    returns: check,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    audit: typeof audit
  }
}
