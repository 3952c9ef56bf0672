import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about second factors and passkeys. */
export const errors = {
  ERR_A2F_LOCKED: {
    status: 429,
    text: 'Houve códigos errados demais nesta conta hoje. Use um código de recuperação, uma passkey ou um dispositivo que você já usou.',
  },
  ERR_A2F_INVALID: { status: 400, text: 'O código não confere. Confira e tente de novo.' },
  ERR_A2F_OVER: { status: 400, text: 'O tempo ou as tentativas da confirmação acabaram. Entre de novo.' },
  ERR_A2F_REQUIRED: { status: 409, text: 'A empresa exige o segundo fator. Você pode trocar de aplicativo.' },
  ERR_A2F_OFF: { status: 409, text: 'O segundo fator não está ligado.' },
  ERR_PASSKEY_INVALID: { status: 400, text: 'Esta passkey não foi aceita. Tente de novo ou entre com a senha.' },
  ERR_PASSKEY_EXISTS: { status: 409, text: 'Esta passkey já está cadastrada.' },
  ERR_PASSKEY_LIMIT: { status: 409, text: 'Cada pessoa guarda até 20 passkeys. Remova uma que não usa mais.' },
  ERR_NO_PASSKEY_FOUND: { status: 404, text: 'Passkey não encontrada.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    secondFactor: typeof errors
  }
}
