/** The headers of a mail, by their names in small letters; the first of a name. */
type MailHeaders = ReadonlyMap<string, string>

const PRECEDENCE = /^\s*(bulk|list|junk|auto_reply)\b/i
const MACHINES =
  /^(mailer-daemon|postmaster|majordomo|listserv|no-?reply|nao-?respond[ae]r?|n[aã]o-?responda|do-?not-?reply)([+._-].*)?@/i
const SUBJECTS =
  /^\s*(auto(matic)?[- ]?(reply|response)|out of (the )?office|resposta autom[aá]tica|respuesta autom[aá]tica|fora do escrit[oó]rio|aus[eê]ncia tempor[aá]ria|automatische antwort)\b/i
/** What only lists write into their mails. */
const OF_LISTS = ['list-id', 'list-post', 'list-unsubscribe', 'mailing-list', 'x-mailing-list', 'feedback-id']

/**
 * Whether a machine wrote a mail, or it came by a list, so that answering by itself could go on for ever (RFC 3834 and what
 * common programs do): `from` is who wrote, `own` are our addresses, all in small letters.
 */
export function isAutomatic(
  headers: MailHeaders,
  { from, subject, own }: { from: string; subject: string; own: readonly string[] },
): boolean {
  const submitted = (headers.get('auto-submitted') ?? 'no').trim().toLowerCase()
  if (submitted !== 'no' && submitted !== '') return true
  if (PRECEDENCE.test(headers.get('precedence') ?? '')) return true
  if (OF_LISTS.some((name) => headers.has(name))) return true
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-loop'].some((name) => headers.has(name))) return true
  if (/\b(all|oof|autoreply)\b/i.test(headers.get('x-auto-response-suppress') ?? '')) return true
  if (/^\s*<\s*>\s*$/.test(headers.get('return-path') ?? '')) return true
  if (/^\s*multipart\/report\b/i.test(headers.get('content-type') ?? '')) return true
  return MACHINES.test(from) || own.includes(from) || SUBJECTS.test(subject)
}

/** Under which a site's own programs write, besides those whom nobody answers. */
const SITES =
  /^(wordpress|www(-data)?|apache|nginx|nobody|cpanel|root|web(site|master|server|form)?|site|form(s|ulario)?|contact-?form|mailer)([+._-].*)?@/i

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/**
 * Whether a mail that a program wrote is what somebody filled into a form of a site, who is named for the `answer`: of our
 * own domain, or of a name under which programs write, and for somebody who is not there. What a list sends is none.
 */
export function isForm(
  headers: MailHeaders,
  { author, answer, own }: { author: string; answer: string; own: readonly string[] },
): boolean {
  if (own.includes(author)) return true
  if (OF_LISTS.some((name) => headers.has(name)) || PRECEDENCE.test(headers.get('precedence') ?? '')) return false
  if (domainOf(author) === domainOf(answer)) return false
  return own.some((one) => domainOf(one) === domainOf(author)) || MACHINES.test(author) || SITES.test(author)
}
