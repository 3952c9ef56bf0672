import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { present } from '#domain/present.ts'
import { contract } from '#kit/contract.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { done, email, id, pageAnswer, text } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { planFields, planForm } from './forms.ts'
import { planTable } from './table.ts'

const offered = z.object({ id: z.number().int(), ...planFields }).omit({ isActive: true })
const plan = z.object({ id: z.number().int(), ...planFields, tenants: z.number().int() })

/** Plan as the superadmin sees it, with the number of its companies. */
export type Plan = z.output<typeof plan>

const list = { plan: z.array(plan), ...pageAnswer }
const codes = (...all: ErrorCode[]): readonly ErrorCode[] => all

/** API contract of plans: the public offer, and their administration (product facts 2.7). */
export const plans = contract(at.plans, {
  offered: {
    summary: 'Planos oferecidos, e se a instalação aceita cadastros',
    /** `hasMore`: there are further plans on offer that are not listed. */
    returns: z.object({ plan: z.array(offered), hasMore: z.boolean(), isOpen: z.boolean() }),
  },
  list: {
    summary: 'Todos os planos, com os inativos',
    mode: 'slow',
    query: listQuery(planTable),
    returns: z.object({ ...list, isOpen: z.boolean() }),
    errors: codes('ERR_PAGE_TOO_FAR'),
  },
  get: {
    summary: 'Um plano',
    mode: 'slow',
    returns: plan,
    errors: codes('ERR_NO_PLAN_FOUND'),
  },
  create: {
    summary: 'Criar um plano',
    mode: 'slow',
    body: planForm,
    returns: plan,
    errors: codes('ERR_DUPLICATED'),
    audit: true,
  },
  update: {
    summary: 'Alterar um plano; empresas que já o têm ficam como estão',
    mode: 'slow',
    body: planForm,
    returns: plan,
    errors: codes('ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED'),
    audit: true,
  },
  remove: {
    summary: 'Excluir um plano que nenhuma empresa tem',
    mode: 'slow',
    returns: done,
    errors: codes('ERR_NO_PLAN_FOUND', 'ERR_PLAN_IN_USE'),
    audit: true,
  },
  open: {
    summary: 'Aceitar cadastros de novas empresas, ou deixar de aceitar',
    mode: 'slow',
    body: z.strictObject({ isOpen: z.boolean() }),
    returns: z.object({ isOpen: z.boolean() }),
    audit: true,
  },
})

const digits = (value: string) => value.replace(/\D/g, '')

/** API contract of signup. Limits and price come from the plan, never from the form. */
export const signup = contract(at.signup, {
  create: {
    summary: 'Cadastrar uma empresa e quem a administra',
    body: z.strictObject({
      name: text(80, 3),
      userName: text(50, 3).optional(),
      cpfCnpj: text(18, 1)
        .refine((value) => parseDocument(value) !== null, 'Informe um CPF ou CNPJ válido.')
        .transform((value) => present(parseDocument(value)).value),
      email,
      mobilePhone: text(20, 1)
        .transform(digits)
        .refine((value) => /^[1-9]{2}9?\d{8}$/.test(value), 'Informe o celular com DDD.'),
      password: z.string({ error: 'Informe a senha.' }).min(1, 'Informe a senha.').max(2000),
      planId: id,
    }),
    returns: done,
    errors: codes(
      'ERR_USER_CREATION_DISABLED',
      'ERR_NO_PLAN_FOUND',
      'ERR_DUPLICATED',
      'ERR_RATE_LIMIT',
      'ERR_VALIDATION',
    ),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    plans: typeof plans
  }
}
