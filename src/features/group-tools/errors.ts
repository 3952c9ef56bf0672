import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about groups. */
export const errors = {
  ERR_NO_GROUP_FOUND: { status: 404, text: 'Este grupo não está neste canal. Atualize a lista.' },
  ERR_NO_GROUP_JOB_FOUND: { status: 404, text: 'Tarefa não encontrada.' },
  ERR_GROUP_JOB_STATE: { status: 409, text: 'A tarefa não está em uma situação que permita isso.' },
  ERR_NO_GROUP_RULE_FOUND: { status: 404, text: 'Este item não existe mais.' },
  ERR_GROUP_RULE_EXISTS: { status: 409, text: 'Isto já está cadastrado para este grupo.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    groupTools: typeof errors
  }
}
