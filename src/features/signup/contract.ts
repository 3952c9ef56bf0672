import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { contract } from '#kit/contract.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { done, email, id, idParams, pageAnswer, text } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import { planTable } from './table.ts'

const count = (most: number) =>
  z.number({ error: 'Informe um número.' }).int('Informe um número inteiro.').min(1, 'Ao menos 1.').max(most)

/** What a plan says; `value` is the price of a month as decimal text, `trialPeriod` in days. */
const planFields = {
  name: text(60, 2),
  value: z
    .string({ error: 'Informe o valor.' })
    .trim()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Informe um valor em reais.'),
  connections: count(1000),
  users: count(10_000),
  trial: z.boolean(),
  trialPeriod: z.number({ error: 'Informe os dias.' }).int('Informe os dias.').min(0).max(365, 'No máximo 365 dias.'),
  isActive: z.boolean(),
}

/** What the form of a plan sends. */
export const planForm = z.strictObject(planFields).refine((plan) => !plan.trial || plan.trialPeriod > 0, {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
})

const offered = z.object({ id: z.number().int(), ...planFields }).omit({ isActive: true })
const plan = z.object({ id: z.number().int(), ...planFields, tenants: z.number().int() })

/** A plan as somebody sees it who signs up. */
export type OfferedPlan = z.output<typeof offered>
/** A plan as the superadmin sees it, with how many companies have it. */
export type Plan = z.output<typeof plan>

const list = { plan: z.array(plan), ...pageAnswer }
const codes = (...all: ErrorCode[]): readonly ErrorCode[] => all

/** Plans: what is offered, and its administration (product facts 2.7). */
export const plans = contract('plans', {
  offered: {
    method: 'GET',
    path: '/plan',
    summary: 'Planos oferecidos, e se a instalação aceita cadastros',
    can: 'public',
    returns: z.object({ plan: z.array(offered), isOpen: z.boolean() }),
  },
  list: {
    method: 'GET',
    path: '/planAll',
    summary: 'Todos os planos, com os inativos',
    can: 'platform:read',
    mode: 'slow',
    query: listQuery(planTable),
    returns: z.object({ ...list, isOpen: z.boolean() }),
    errors: codes('ERR_PAGE_TOO_FAR'),
  },
  get: {
    method: 'GET',
    path: '/plan/:id',
    summary: 'Um plano',
    can: 'platform:read',
    mode: 'slow',
    params: idParams,
    returns: plan,
    errors: codes('ERR_NO_PLAN_FOUND'),
  },
  create: {
    method: 'POST',
    path: '/plan',
    summary: 'Criar um plano',
    can: 'platform:write',
    mode: 'slow',
    body: planForm,
    returns: plan,
    errors: codes('ERR_DUPLICATED'),
    touches: ['plans'],
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/plan/:id',
    summary: 'Alterar um plano; empresas que já o têm ficam como estão',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: planForm,
    returns: plan,
    errors: codes('ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED'),
    touches: ['plans'],
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/plan/:id',
    summary: 'Excluir um plano que nenhuma empresa tem',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    returns: done,
    errors: codes('ERR_NO_PLAN_FOUND', 'ERR_PLAN_IN_USE'),
    touches: ['plans'],
    audit: true,
  },
  open: {
    method: 'PUT',
    path: '/signupSettings',
    summary: 'Aceitar cadastros de novas empresas, ou deixar de aceitar',
    can: 'platform:write',
    mode: 'slow',
    body: z.strictObject({ isOpen: z.boolean() }),
    returns: z.object({ isOpen: z.boolean() }),
    touches: ['plans'],
    audit: true,
  },
})

const digits = (value: string) => value.replace(/\D/g, '')

/** Signing up. Limits and price are the plan's: nothing about them is taken from the form. */
export const signup = contract('signup', {
  create: {
    method: 'POST',
    path: '/asaas/client',
    summary: 'Cadastrar uma empresa e quem a administra',
    can: 'public',
    body: z.strictObject({
      name: text(80, 3),
      userName: text(50, 3).optional(),
      cpfCnpj: text(18, 1)
        .refine((value) => parseDocument(value) !== null, 'Informe um CPF ou CNPJ válido.')
        .transform((value) => parseDocument(value)!.value),
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
