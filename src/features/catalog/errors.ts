import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about tags, quick replies, reasons and farewells. */
export const errors = {
  ERR_NO_TAG_FOUND: { status: 404, text: 'Etiqueta não encontrada.' },
  ERR_TAG_CONTACTS_EXISTS: {
    status: 409,
    text: 'Há contatos ou atendimentos com esta etiqueta. Junte-a em outra, ou desative-a: deixa de ser oferecida.',
  },
  ERR_NO_FAST_REPLY_FOUND: { status: 404, text: 'Mensagem rápida não encontrada.' },
  ERR_FAST_REPLY_EXISTS: { status: 409, text: 'Já existe uma mensagem rápida com essa chave.' },
  ERR_NO_FAST_REPLY_FILE_FOUND: { status: 404, text: 'Esta mensagem rápida não tem esse arquivo.' },
  ERR_MAX_FAST_REPLY_FILES: { status: 409, text: 'Uma mensagem rápida leva até dez arquivos.' },
  ERR_NO_REASON_FOUND: { status: 404, text: 'Motivo não encontrado.' },
  ERR_REASON_TICKETS_EXIST: {
    status: 409,
    text: 'Há atendimentos com este motivo. Desative-o: deixa de ser oferecido, e eles ficam com ele.',
  },
  ERR_NO_FAREWELL_FOUND: { status: 404, text: 'Despedida não encontrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    catalog: typeof errors
  }
}
