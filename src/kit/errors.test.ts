import { expect, test } from 'vitest'
import '#server/features.ts'
import { errorCatalogue, errorText } from './errors.ts'

/** Meaning of each code in specification §8, as a pattern of its text. */
const meanings: Readonly<Record<string, RegExp>> = {
  ERR_NO_DEF_WAPP_FOUND: /nenhum canal padrão.*canais/i,
  ERR_WAPP_NOT_INITIALIZED: /sem conexão/i,
  ERR_WAPP_INITIALIZED: /reconectando.*segundos/i,
  ERR_WAPP_CHECK_CONTACT: /não foi possível verificar o contato/i,
  ERR_WAPP_INVALID_CONTACT: /não é um WhatsApp válido/i,
  ERR_WAPP_DOWNLOAD_MEDIA: /mídia não pôde ser baixada/i,
  ERR_INVALID_CREDENTIALS: /não conferem.*tente de novo/i,
  ERR_LIMIT_MAX: /em 1 minuto/i,
  ERR_SENDING_WAPP_MSG: /não pôde ser enviada/i,
  ERR_DELETE_WAPP_MSG: /recusou apagar/i,
  ERR_OTHER_OPEN_TICKET: /já existe um atendimento aberto/i,
  ERR_SESSION_EXPIRED: /sessão expirou.*entre/i,
  ERR_USER_CREATION_DISABLED: /desativad|fechad/i,
  ERR_NO_PERMISSION: /não tem permissão/i,
  ERR_DUPLICATED_CONTACT: /já existe um contato com esse número/i,
  ERR_NO_SETTING_FOUND: /não encontrad/i,
  ERR_NO_CONTACT_FOUND: /não encontrad/i,
  ERR_NO_TICKET_FOUND: /não encontrad/i,
  ERR_NO_USER_FOUND: /não encontrad/i,
  ERR_NO_WAPP_FOUND: /não encontrad/i,
  ERR_CREATING_MESSAGE: /não pôde ser criada/i,
  ERR_CREATING_TICKET: /não pôde ser criado/i,
  ERR_FETCH_WAPP_MSG: /não foi localizada.*antiga/i,
  ERR_TENANT_INACTIVE: /acesso da empresa está inativo/i,
  ERR_ASAAS_OVERDUE: /situação do plano/i,
}

test('the dictionary says in Portuguese what each code of the specification means', () => {
  for (const [code, meaning] of Object.entries(meanings)) expect(errorText(code), code).toMatch(meaning)
})

test('every sentence is one that a person can read, and a code that is not in it is shown as it is', () => {
  for (const [code, { text, status }] of Object.entries(errorCatalogue)) {
    expect(text, code).toMatch(/^\p{Lu}.*[.!?]$/u)
    expect(status, code).toBeGreaterThanOrEqual(400)
  }
  expect(errorText('ERR_OF_A_PROVIDER')).toBe('ERR_OF_A_PROVIDER')
  expect(errorText('toString')).toBe('toString')
})
