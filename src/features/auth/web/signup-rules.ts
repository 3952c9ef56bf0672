import { passwordProblem } from '#domain/access/password.ts'
import { parseDocument } from '#domain/documents/documents.ts'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { t } from '#web/t.ts'

/** Form values of a signup; masked as typed. */
export type Application = {
  name: string
  userName: string
  cpfCnpj: string
  email: string
  mobilePhone: string
  password: string
  planId: number | null
}

/** Returns the problems by field, in the order of the form; the server validates again. */
export function problemsOf(values: Application): Record<string, string> {
  const problems: [keyof Application, string | null | false][] = [
    ['name', values.name.trim().length < 3 && t('Informe o nome da empresa.')],
    ['userName', values.userName.trim().length < 3 && t('Informe seu nome.')],
    ['cpfCnpj', !parseDocument(values.cpfCnpj) && t('Informe um CPF ou CNPJ válido.')],
    ['email', !MAIL_ADDRESS.test(values.email.trim()) && t('Informe um e-mail válido.')],
    [
      'mobilePhone',
      !/^[1-9]{2}9?\d{8}$/.test(values.mobilePhone.replace(/\D/g, '')) && t('Informe o celular com DDD.'),
    ],
    ['password', passwordProblem(values.password)],
    ['planId', values.planId === null && t('Escolha um plano.')],
  ]
  return Object.fromEntries(problems.filter((one): one is [keyof Application, string] => Boolean(one[1])))
}
