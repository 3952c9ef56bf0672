import type { ErrorPart } from '#kit/errors.ts'

/** Errors of contact requests: status and text by code. */
export const errors = {
  ERR_NO_CONTACT_FOUND: { status: 404, text: 'Contato não encontrado.' },
  ERR_DUPLICATED_CONTACT: { status: 409, text: 'Já existe um contato com esse número.' },
  ERR_BOARD_CHANGED: {
    status: 409,
    text: 'O painel mudou enquanto você movia: o cartão vizinho não está mais nesta etapa.',
  },
  ERR_MERGE_SAME: { status: 400, text: 'Escolha outro contato: estes dois já são a mesma pessoa.' },
  ERR_MERGE_GROUP: { status: 409, text: 'Um grupo não pode ser mesclado com outro contato.' },
  ERR_MERGE_CHANGED: { status: 409, text: 'Um destes contatos acabou de ser mesclado. Confira e tente de novo.' },
  ERR_NO_MERGE_FOUND: { status: 404, text: 'Mescla não encontrada.' },
  ERR_NO_IMPORT_FOUND: { status: 404, text: 'Importação não encontrada.' },
  ERR_IMPORT_STATE: {
    status: 409,
    text: 'A importação não está neste ponto: espere que termine, ou veja o que já foi feito dela.',
  },
  ERR_MERGE_UNDONE: { status: 409, text: 'Esta mescla já foi desfeita.' },
  ERR_NO_CONTACT_FIELD_FOUND: { status: 404, text: 'Campo não encontrado.' },
  ERR_CONTACT_FIELD_USED: {
    status: 409,
    text: 'Há contatos com este campo preenchido. Filtre os contatos por ele e esvazie-o antes de excluir.',
  },
  ERR_MAX_CONTACT_FIELDS: { status: 409, text: 'Já há 50 campos, e mais não cabem.' },
  ERR_NO_CONTACT_VIEW_FOUND: { status: 404, text: 'Visão não encontrada.' },
  ERR_TOO_MANY_CONTACT_VIEWS: { status: 409, text: 'Já há visões demais. Exclua uma antes.' },
  ERR_FORGET_LIVE: {
    status: 409,
    text: 'A pessoa tem atendimentos em andamento. Feche todos eles antes de esquecê-la.',
  },
  ERR_FORGET_GROUP: { status: 409, text: 'Um grupo não é uma pessoa: esqueça quem faz parte dele.' },
  ERR_CONTACT_OPPORTUNITIES: {
    status: 409,
    text: 'O contato tem oportunidades no funil. Só um administrador o exclui com todas elas, por “Deletar forçadamente”.',
  },
  ERR_CONTACT_TICKETS_REGISTERED: {
    status: 409,
    text: 'O contato tem atendimentos. Só um administrador o exclui com todos eles, por “Deletar forçadamente”.',
  },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    contacts: typeof errors
  }
}
