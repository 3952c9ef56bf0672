import { z } from 'zod'
import { maskValue, withholdAll } from '#domain/access/restricted.ts'
import { MASS_KINDS } from '#domain/campaigns/mass.ts'
import { ITEM_STATES } from '#domain/campaigns/states.ts'
import { contract, type Returned } from '#kit/contract.ts'
import { flag, id, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { campaign, plan, recipient } from './contract.ts'
import * as at from './mass-addresses.ts'
import { dispatchForm } from './mass-forms.ts'

const kind = z.enum(MASS_KINDS)
const stored = [
  ...(['ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION', 'ERR_CHANNEL_CANNOT', 'ERR_CAMPAIGN_PLAN'] as const),
  ...(['ERR_NO_TEMPLATE_FOUND', 'ERR_TEMPLATE_REFUSED', 'ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND'] as const),
  ...(['ERR_NO_GROUP_FOUND'] as const),
] as const
const gone = ['ERROR_CAMPAIGN_NOT_EXISTS'] as const
const move = { returns: campaign, errors: [...gone, 'ERR_CAMPAIGN_STATE'], audit: true } as const

/** Contract of messages that are sent at once to a list. */
export const dispatches = contract(at.dispatches, {
  list: {
    summary: 'Disparos de um tipo, do mais novo ao mais antigo',
    query: pageQuery.extend({ kind }),
    returns: z.object({ dispatches: z.array(campaign), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Um disparo e o seu andamento', returns: campaign, errors: gone },
  create: {
    summary: 'Disparar agora a números, contatos, grupos, etiquetas ou etapas; o envio segue no servidor',
    mode: 'slow',
    body: dispatchForm,
    returns: campaign,
    status: 202,
    errors: [
      ...stored,
      ...(['ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE', 'ERR_FILE_NOT_CARRIED'] as const),
      ...(['ERR_ADDRESS_REFUSED', 'ERR_FILE_FETCH'] as const),
    ],
    audit: true,
  },
  plan: {
    summary: 'O que um disparo faria, sem disparar: quem recebe, quem fica de fora e por quê, até quando dura, o custo',
    mode: 'slow',
    body: dispatchForm,
    returns: plan,
    errors: stored,
  },
  lines: {
    summary: 'Ler os números de um CSV, com os valores das outras colunas; o que não é número é dito por linha',
    mode: 'slow',
    returns: z.object({
      lines: z.array(
        z.object({ number: hidden(z.string(), maskValue), values: hidden(z.array(z.string()), withholdAll) }),
      ),
      /** Titles of the columns whose values follow the number. */
      columns: z.array(z.string()),
      /** First rejected lines with the reason, numbered as in a spreadsheet. */
      problems: z.array(z.object({ line: z.number().int(), text: z.string() })),
      rejected: z.number().int(),
      /** Whether accented letters may have been decoded wrongly, because the file names no encoding. */
      isDoubtful: z.boolean(),
    }),
    errors: ['ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
  },
  groups: {
    summary: 'Os grupos em que estão os canais escolhidos, por nome',
    query: pageQuery.extend({ sessionIds: many(id) }),
    returns: z.object({
      groups: z.array(
        z.object({ id: z.string(), name: z.string(), sessionId: z.number().int(), sessionName: z.string() }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  pause: { summary: 'Pausar um disparo', ...move },
  resume: { summary: 'Continuar um disparo', ...move },
  cancel: { summary: 'Encerrar um disparo: quem ainda não recebeu não recebe mais', ...move },
  retry: { summary: 'Tentar de novo com quem falhou', ...move },
  contacts: {
    summary: 'Quem recebe um disparo e o que foi feito',
    query: pageQuery.extend({ state: many(z.enum(ITEM_STATES)), replied: flag }),
    returns: z.object({ contacts: z.array(recipient), ...pageAnswer }),
    errors: [...gone, 'ERR_PAGE_TOO_FAR'],
  },
})

/** Content of a CSV file of numbers as the browser gets it. */
export type NumbersRead = Returned<typeof dispatches.lines>

declare module '#kit/contract.ts' {
  interface Contracts {
    dispatches: typeof dispatches
  }
}
