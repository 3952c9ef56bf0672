import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { loginAnswer } from './contract.ts'

const keyState = z.object({ enabled: z.boolean(), createdAt: isoTime.nullable(), createdBy: z.string() })

/** State of the master key, for the superadmin. */
export type KeyState = z.output<typeof keyState>

const access = z.object({
  /** Active support sessions of the company. */
  sessions: z.array(z.object({ userName: z.string(), endsAt: isoTime })),
  /** Whether the requesting session is a support session. */
  isOwn: z.boolean(),
})

/**
 * API contract of support access (decision A14): disabled until the superadmin creates a key; one account for one hour,
 * shown to the company and audited.
 */
export const support = contract(at.support, {
  keyState: {
    summary: 'Chave mestra: se existe, desde quando e de quem',
    returns: keyState,
  },
  makeKey: {
    summary: 'Gerar a chave mestra; é mostrada só nesta resposta e substitui a anterior',
    mode: 'slow',
    returns: keyState.extend({ key: z.string() }),
    audit: true,
  },
  dropKey: {
    summary: 'Desligar a chave mestra',
    mode: 'slow',
    returns: keyState,
    audit: true,
  },
  enter: {
    summary: 'Abrir a conta de alguém por uma hora, com a chave mestra',
    body: z.strictObject({
      email: z.string().trim().toLowerCase().min(1, 'Informe o e-mail ou usuário.').max(254),
      password: z.string().min(1, 'Informe a chave mestra.').max(2000),
    }),
    returns: loginAnswer.extend({ endsAt: isoTime }),
    errors: ['ERR_INVALID_CREDENTIALS', 'ERR_LIMIT_MAX', 'ERR_TENANT_INACTIVE'],
  },
  access: {
    summary: 'Acessos de suporte em andamento na empresa',
    returns: access,
  },
  end: {
    summary: 'Encerrar os acessos de suporte da empresa',
    returns: done,
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    support: typeof support
  }
}
