import { foldAnswer, LONGEST_ANSWER, SPELLED_NUMBERS } from '../answers.ts'
import { firstOf } from '../present.ts'

/**
 * Meaning of a customer's message while a rating is pending: a rating from 0 to 5, an unreadable attempt, or something
 * else.
 */
export type Reading =
  | { readonly kind: 'rating'; readonly rating: number }
  | { readonly kind: 'attempt' }
  | { readonly kind: 'other' }

/** Words that may accompany the number without changing its meaning. */
const FILLERS = new Set(
  'a ao acho avaliacao certeza com dou e estrela estrelas eu foi merece minha nota o ponto pontos que ser vai voto'.split(
    ' ',
  ),
)
/** Words of thanks, praise and blame that accompany a rating. */
const OPINIONS = new Set(
  (
    'adorei agil agradeco agradecida agradecido amei amor as atencao atenciosa atencioso atende atendeu atender atendida atendido atendimento ' +
    'atendente bem boa bom caprichada capricho como continuem cordial da de demais demora demorada demorado demorou deus dez dia do dos educada educado ' +
    'eficiente em equipe era esta estao estou excelencia excelente excepcional experiencia facil feliz fiquei foram gostei grata gratidao grato ' +
    'horrivel incrivel legal lenta lento linda lindo maravilha maravilhosa maravilhoso mais mas mt mto muita muitissimo muito na nao nada nos noite ' +
    'obg obrigada obrigado obrigadinha otima otimas otimo otimos para parabens pela pelo perfeita perfeito pessima pessimo pessoal por pra pouco ' +
    'pq prestativa prestativo profissional qualidade rapida rapidez rapido recomendo responder resposta ruim satisfacao satisfeita satisfeito se ' +
    'sempre servico servicos show simpatia simpatica simpatico so solucao resolveu resolvido sou sua super tarde tb tem time tks todos top tudo ' +
    'um uma valeu vcs voces vlw'
  ).split(' '),
)
/** Words of a customer who requests something else: a text with one of them is not a rating's comment. */
const REQUESTS =
  /\b(quero|queria|preciso|gostaria|pode|podem|poderia|manda|mandar|envia|enviar|quando|onde|quanto|qual|cade|ainda|falta|faltou|boleto|pedido|agendar|marcar|cancelar|comprar)\b/
const GREETINGS = new Set(['oi', 'ola', 'alo', 'opa'])
const LONGEST = 40
const LONGEST_WORD = 20

/** Interprets a customer's message; `labels` are the labels of the ratings 0 to 5, which may be written instead of the number. */
export function readAnswer(text: string, labels: readonly string[]): Reading {
  const written = text.length > LONGEST_ANSWER ? '' : foldAnswer(text)
  if (written === '' || written.includes('?')) return { kind: 'other' }
  const isShort = written.length <= LONGEST
  const alone = isShort ? (named(written, labels) ?? stars(written) ?? numbered(written, labels)) : null
  const rating = alone ?? commented(written, labels)
  if (!isShort && rating === null) return { kind: 'other' }
  if (rating !== null) return rating <= 5 && Number.isInteger(rating) ? { kind: 'rating', rating } : { kind: 'attempt' }
  return isOneWord(written) ? { kind: 'attempt' } : { kind: 'other' }
}

function named(written: string, labels: readonly string[]): number | null {
  const found = labels.flatMap((label, rating) => (foldAnswer(label) === written ? [rating] : []))
  return found.length === 1 ? firstOf(found) : null
}

/** Parses a text of stars only: counts the filled ones; null for other texts. */
function stars(written: string): number | null {
  if (!/^[⭐🌟★☆ ]+$/u.test(written)) return null
  return [...written].filter((star) => '⭐🌟★'.includes(star)).length
}

/** Parses a number among filler words, "4 de 5", or a line of the question itself ("5 - Incrível"); null for other texts. */
function numbered(written: string, labels: readonly string[]): number | null {
  const [, line, name] = /^([0-5]) ?[-–—.):]? ?(\D+)$/.exec(written) ?? []
  if (line && name && foldAnswer(labels[Number(line)] ?? '') === name.trim()) return Number(line)
  const plain = written.replace(/(?<=^|\s)(\S+) ?(?:\/|de) ?(?:5|cinco)$/, '$1')
  const rest = plain.split(/[\s:]+/).filter((word) => !FILLERS.has(word))
  const [word = ''] = rest
  if (rest.length !== 1) return null
  const spelled = SPELLED_NUMBERS.get(word)
  if (spelled !== undefined) return spelled
  if (/^\d[.,]0{1,2}$/.test(word)) return Number(word[0])
  // Longer numbers are an order or a telephone number.
  if (!/^[-+]?\d{1,3}(?:[.,]\d{1,2})?$/.test(word)) return null
  return /^\d$/.test(word) ? Number(word) : Number.POSITIVE_INFINITY
}

/**
 * Parses one number or one run of stars beside words of thanks, praise or blame ("5 ótimo atendimento, obrigada", "⭐⭐⭐⭐⭐
 * top"). After a number set apart by a mark other words are accepted too ("5, o Pedro foi ótimo"), unless they make a
 * request.
 */
function commented(written: string, labels: readonly string[]): number | null {
  const plain = written.replace(/\b(?:de )?0 a (?:5|10)\b/, ' ').replace(/(\d)(?:\/5|\+)(?!\d)/, '$1')
  const tokens = plain.split(/[\s,.:;!–—-]+/).filter((token) => /[\p{L}\p{N}⭐🌟★]/u.test(token))
  const isStars = (token: string) => /^[⭐🌟★]+$/u.test(token)
  const values = tokens.filter((token) => isStars(token) || /\d/.test(token))
  const first = tokens[0] ?? ''
  const value = values[0] ?? (SPELLED_NUMBERS.has(first) ? first : undefined)
  if (value === undefined || values.length > 1) return null
  const rest = tokens.filter((token) => token !== value && !FILLERS.has(token))
  const opinions = rest.filter((word) => OPINIONS.has(word))
  const isApart = value === first && /^\S+\s?[,.:;!–—-]/u.test(plain)
  const isComment = opinions.length === rest.length || (isApart && opinions.length > 0 && !REQUESTS.test(plain))
  const rating = isStars(value) ? [...value].length : /^\d$/.test(value) ? Number(value) : SPELLED_NUMBERS.get(value)
  // Two ratings at once, such as "3 - Incrível", are none; words of praise that are a label too are praise.
  const other = labels.findIndex((label) => foldAnswer(label) === rest.join(' '))
  return isComment && rating !== undefined && (other < 0 || other === rating || opinions.length > 1) ? rating : null
}

/** Whether a text is one short word or a few emoji, and no greeting: too short for a new matter. */
const isOneWord = (written: string): boolean =>
  written.length <= LONGEST_WORD && !/[\s\d/@]/.test(written) && !GREETINGS.has(written)
