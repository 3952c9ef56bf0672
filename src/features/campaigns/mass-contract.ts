import { z } from 'zod'
import { MASS_KINDS } from '#domain/campaigns/mass.ts'
import { ITEM_STATES } from '#domain/campaigns/states.ts'
import { contract } from '#kit/contract.ts'
import { flag, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { campaign, recipient } from './contract.ts'
import * as at from './mass-addresses.ts'
import { dispatchForm } from './mass-forms.ts'

const kind = z.enum(MASS_KINDS)
const gone = ['ERROR_CAMPAIGN_NOT_EXISTS'] as const
const move = { returns: campaign, errors: [...gone, 'ERR_CAMPAIGN_STATE'], audit: true } as const

/** Messages that are sent at once to a list. */
export const dispatches = contract(at.dispatches, {
  list: {
    summary: 'Disparos de um tipo, do mais novo ao mais antigo',
    query: pageQuery.extend({ kind }),
    returns: z.object({ dispatches: z.array(campaign), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Um disparo e o seu andamento', returns: campaign, errors: gone },
  create: {
    summary: 'Disparar agora a números, contatos, etiquetas ou etapas; o envio segue no servidor',
    mode: 'slow',
    body: dispatchForm,
    returns: campaign,
    status: 202,
    errors: [
      ...(['ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION', 'ERR_CHANNEL_CANNOT', 'ERR_CAMPAIGN_PLAN'] as const),
      ...(['ERR_NO_TEMPLATE_FOUND', 'ERR_TEMPLATE_REFUSED', 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'] as const),
      ...(['ERR_FILE_NOT_CARRIED', 'ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND'] as const),
      ...(['ERR_ADDRESS_REFUSED', 'ERR_FILE_FETCH'] as const),
    ],
    audit: true,
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

declare module '#kit/contract.ts' {
  interface Contracts {
    dispatches: typeof dispatches
  }
}
