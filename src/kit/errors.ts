import { ownMember } from '#domain/keys.ts'
import { type NamesOf, registry } from './registry.ts'

/** Specification of an error: HTTP status, and the sentence shown to the user (specification §8, decisions B6, B12). */
export type ErrorSpec = { readonly status: number; readonly text: string }

/** Errors of one feature, by code. */
export type ErrorPart = Readonly<Record<string, ErrorSpec>>

/** Errors that any request may have, and those from outside of the product. */
const platformErrors = {
  ERR_VALIDATION: { status: 400, text: 'Confira os campos destacados.' },
  ERR_PAGE_TOO_FAR: { status: 400, text: 'Página muito distante. Use a continuação da lista (nextCursor).' },
  ERR_NOT_FOUND: { status: 404, text: 'Não encontramos o que você procura.' },
  ERR_DUPLICATED: { status: 409, text: 'Já existe um registro com esses dados.' },
  ERR_NO_BULK_FOUND: { status: 404, text: 'Ação em lote não encontrada.' },
  ERR_SELECTION_CHANGED: { status: 409, text: 'A seleção mudou enquanto você decidia. Confira o novo número.' },
  ERR_SELECTION_TOO_LARGE: { status: 400, text: 'A seleção passa de 10.000. Use os filtros para diminuí-la.' },
  ERR_BULK_STATE: { status: 409, text: 'Esta ação em lote não está mais em andamento.' },
  ERR_UNDO_EXPIRED: { status: 409, text: 'O prazo para desfazer terminou.' },
  ERR_CHANGED_SINCE: { status: 409, text: 'Foi alterado depois desta ação.' },
  ERR_IDEMPOTENCY_MISMATCH: { status: 409, text: 'Este pedido já foi feito com outros dados.' },
  ERR_IN_PROGRESS: { status: 409, text: 'Este pedido ainda está em andamento. Aguarde um instante.' },
  ERR_RATE_LIMIT: { status: 429, text: 'Muitos pedidos em pouco tempo. Aguarde um instante.' },
  ERR_TOO_SLOW: { status: 408, text: 'O pedido demorou demais para chegar. Tente de novo.' },
  ERR_OVERLOADED: { status: 503, text: 'Muitos dados chegam ao mesmo tempo. Tente de novo em instantes.' },
  ERR_STARTING: { status: 503, text: 'O sistema está iniciando. Tente de novo em instantes.' },
  ERR_UNAVAILABLE: {
    status: 503,
    text: 'O sistema está sem acesso ao banco de dados ou ao disco. Tente de novo em instantes.',
  },
  ERR_UNIDENTIFIED: { status: 500, text: 'Ocorreu um erro não identificado.' },
  ERR_INVALID_CREDENTIALS: { status: 401, text: 'Usuário ou senha não conferem. Tente de novo.' },
  ERR_SESSION_EXPIRED: { status: 401, text: 'Sua sessão expirou. Entre de novo.' },
  ERR_NO_PERMISSION: { status: 403, text: 'Você não tem permissão para isso.' },
  ERR_FEATURE_NOT_ALLOWED: { status: 403, text: 'Este recurso não faz parte do plano da empresa.' },
  ERR_TENANT_INACTIVE: { status: 403, text: 'O acesso da empresa está inativo.' },
  ERR_ASAAS_OVERDUE: { status: 402, text: 'Verifique a situação do plano.' },
  OUT_RANGE: { status: 403, text: 'Fora do horário de atendimento.' },
  ERR_FILE_TOO_LARGE: { status: 413, text: 'O arquivo é grande demais.' },
  ERR_FILE_LINK: { status: 403, text: 'O link do arquivo venceu. Abra a conversa de novo.' },
  ERR_FILE_TYPE: { status: 415, text: 'Este tipo de arquivo não é aceito.' },
  ERR_FILE_FETCH: { status: 422, text: 'O arquivo não pôde ser baixado do endereço indicado.' },
  ERR_ADDRESS_REFUSED: { status: 400, text: 'Este endereço não pode ser chamado daqui.' },
  ERR_PROXY: { status: 422, text: 'O proxy não deixou passar.' },
  ERR_OUTSIDE_CALL: { status: 422, text: 'O endereço chamado não respondeu como se esperava.' },
} as const satisfies ErrorPart

/** Registry of errors: each feature adds its own (`declare module`). */
export interface Errors {
  platform: typeof platformErrors
}

/** Code in the catalogue of errors. */
export type ErrorCode = NamesOf<Errors>

const { table, add } = registry<ErrorCode, ErrorSpec>('error', platformErrors)

/** Catalogue of errors, by code. */
export const errorCatalogue = table

/** Adds the errors of a feature to the catalogue. */
export const addErrors = add

/** Details of an error beside its code: messages by field, or the conflicting record. */
export type ErrorDetails = Record<string, unknown>

/** Returns the `code` that a system call, the database driver or a library gave its error; '' without one. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code ?? '') : ''

/** Converts a thrown value to an Error: itself, or one with its text as message. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Error that use cases throw; the HTTP layer turns it into `{ error, message, details }`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  constructor(code: ErrorCode, details?: ErrorDetails) {
    super(code)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Stops the use case with a catalogued error. */
export function fail(code: ErrorCode, details?: ErrorDetails): never {
  throw new AppError(code, details)
}

/** Returns the value; throws the error if it is null or undefined. */
export function required<T>(value: T | null | undefined, code: ErrorCode): T {
  return value ?? fail(code)
}

/** Returns the Portuguese sentence of a code; a code missing from the catalogue is returned raw (decision A17). */
export const errorText = (code: string): string => ownMember(errorCatalogue, code)?.text ?? code
