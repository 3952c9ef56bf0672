import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to logins and password recovery. */
export const errors = {
  ERR_LIMIT_MAX: { status: 429, text: 'Muitas tentativas. Tente de novo em 1 minuto.' },
  ERR_LOGIN_LOCKED: {
    status: 429,
    text: 'Houve tentativas demais de entrar nesta conta hoje. Entre por um dispositivo que você já usou, ou crie uma nova senha em “Esqueci minha senha”.',
  },
  ERR_CODE_INVALID: { status: 400, text: 'Este link já foi usado ou venceu. Peça um novo.' },
  ERROR_NO_PERMISSION_API_ADMIN: {
    status: 403,
    text: 'A instalação ainda não tem dono. Use o link mostrado no terminal.',
  },
  INVALID_DOMAIN: { status: 403, text: 'Este endereço pertence a outra empresa.' },
  ERR_EXTERNAL_ADDRESS: {
    status: 422,
    text: 'A instalação não conhece este endereço. Peça a quem cuida dela que defina PUBLIC_URL.',
  },
  ERR_EXTERNAL_STATE: { status: 400, text: 'Esta entrada venceu ou começou em outra janela. Tente de novo.' },
  ERR_EXTERNAL_REFUSED: { status: 400, text: 'O provedor não confirmou a entrada. Tente de novo ou use a senha.' },
  ERR_EXTERNAL_EMAIL: { status: 400, text: 'O provedor não confirmou que este e-mail é seu.' },
  ERR_EXTERNAL_DOMAIN: { status: 400, text: 'Este e-mail não é de um domínio aceito aqui.' },
  ERR_EXTERNAL_USER: { status: 400, text: 'Nenhum usuário ativo tem este e-mail. Peça acesso ao administrador.' },
  ERR_EXTERNAL_UNPROVEN: {
    status: 400,
    text: 'O e-mail desta conta ainda não foi confirmado. Abra o convite, ou peça um link em “Esqueci minha senha”, e tente de novo.',
  },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    auth: typeof errors
  }
}
