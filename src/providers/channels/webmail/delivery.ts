/**
 * Returns a sentence on an undeliverable mail, by its status code of RFC 3463 (5.1.1) or SMTP (550), or by the server's
 * words.
 */
export function reasonOf(code: string, diagnostic: string, recipient: string): string {
  const found = REASONS.find(([codes, phrases]) => codes.test(code) || phrases.test(diagnostic))
  return (found?.[2] ?? 'O servidor {of} não aceitou o e-mail.')
    .replace('{of}', recipient ? `de ${recipient}` : 'do destinatário')
    .replace('{at}', recipient || 'do destinatário')
}

// The first match counts; phrases decide for servers that use one code for everything.
const REASONS: readonly (readonly [codes: RegExp, phrases: RegExp, text: string])[] = [
  [
    /^[45]\.2\.2$|^552$/,
    /mailbox (is )?full|over ?quota|quota exceeded|insufficient (system )?storage|caixa.{0,20}cheia/i,
    'A caixa de entrada {of} está cheia.',
  ],
  [
    /^[45]\.(3\.4|2\.3)$/,
    /(message|size).{0,30}(too (large|big)|exceeds)|too large|size limit/i,
    'O e-mail é grande demais para o servidor {of}.',
  ],
  [
    /^[45]\.1\.(1|10|6)$/,
    /user unknown|unknown user|no such (user|recipient|mailbox)|does ?n[o']t exist|mailbox (unavailable|not found)|recipient (address )?rejected|invalid recipient|n[aã]o existe/i,
    'O endereço {at} não existe.',
  ],
  [
    /^[45]\.(1\.2|4\.[14])$/,
    /(host|domain).{0,20}not found|name or service not known|no mx|nxdomain|unrouteable/i,
    'O domínio {of} não existe ou não recebe e-mails.',
  ],
  [/^[45]\.2\.1$/, /(account|mailbox).{0,20}(disabled|inactive|suspended)/i, 'A conta {at} está desativada.'],
  [
    /^[45]\.7\.\d+$/,
    /spam|blocked|blacklist|blocklist|policy|spf|dkim|dmarc|reputation|unsolicited/i,
    'O servidor {of} recusou o e-mail por suas regras contra spam.',
  ],
]
