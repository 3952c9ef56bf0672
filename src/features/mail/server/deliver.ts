import { sendBySmtp } from '#providers/mail/adapters.ts'
import type { Mail, MailOutcome, MailProblem, MailServer } from '#providers/mail/port.ts'
import { addressOf, isWithin } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { type Owner, type StoredMail, serverOf } from './settings.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']
const LOOKUP_MS = 5000

/**
 * Hands a mail to the server of the settings (decision B21). A company's server is a public address or an allowed one;
 * the installation's may also stand on this machine, whose operator it belongs to. Without protection a mail goes no
 * further than this machine or the allowed networks.
 */
export async function deliver(
  platform: Platform,
  owner: Owner,
  stored: StoredMail,
  mail: Omit<Mail, 'from'>,
): Promise<MailOutcome> {
  const allow = [...platform.env.OUTBOUND_ALLOW, ...(owner === 'installation' ? LOOPBACK : [])]
  const server = serverOf(platform, owner, stored)
  const address = await lookUp(server, allow)
  if ('problem' in address) return { ok: false, status: null, ...address }
  if (server.security === 'none' && !isWithin(address.found, allow))
    return { ok: false, problem: 'unprotected', status: null }
  const from = { name: stored.emailName, address: stored.emailFrom }
  return sendBySmtp(server, address.found, { ...mail, from })
}

async function lookUp(
  server: MailServer,
  allow: readonly string[],
): Promise<{ found: string } | { problem: MailProblem }> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), LOOKUP_MS)
  })
  try {
    return { found: await Promise.race([addressOf({ allow }, server.host), tooLong]) }
  } catch (error) {
    return { problem: (error as { code?: string }).code === 'ERR_ADDRESS_REFUSED' ? 'address' : 'host' }
  } finally {
    clearTimeout(timer)
  }
}

/** What a person is told of a mail that did not leave. */
export function problemText(problem: MailProblem, status: number | null, { emailHost, emailPort }: StoredMail): string {
  const answer = status ? ` (resposta ${status})` : ''
  const texts: Record<MailProblem, string> = {
    address: `O endereço ${emailHost} não pode ser usado daqui: fica numa rede privada que não foi permitida.`,
    host: `O servidor ${emailHost} não foi encontrado. Confira o nome.`,
    refused: `Ninguém atende em ${emailHost}, porta ${emailPort}. Confira a porta.`,
    timeout: `O servidor ${emailHost} não respondeu a tempo. Confira a porta e a segurança.`,
    certificate: `O certificado de ${emailHost} não é confiável ou é de outro servidor.`,
    protection: 'A conexão não pôde ser protegida como escolhido. Confira a porta e a segurança.',
    unprotected: 'Sem proteção, um e-mail só vai a um servidor desta máquina ou de uma rede permitida.',
    login: `O servidor recusou o usuário ou a senha${answer}.`,
    sender: `O servidor não aceita este remetente${answer}.`,
    recipient: `O servidor não aceita este destinatário${answer}.`,
    other: `O servidor não aceitou o e-mail${answer}.`,
  }
  return texts[problem]
}
