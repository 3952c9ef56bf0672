import { type MailCase, mail, utf8 } from './case.ts'

const folded = (name: string, body: string, text: string, quoted: string): MailCase => ({
  name,
  source: mail({ 'Content-Type': 'text/plain; charset=utf-8' }, utf8(body)),
  reads: { text, quoted },
})
const whole = (name: string, body: string): MailCase => folded(name, body, body.trim(), '')

/** Mails with text that is folded as a quotation, and with text that is not only repeated. */
export const quotes: readonly MailCase[] = [
  folded(
    'Gmail in Portuguese',
    'Pode ser amanhã.\n\nEm sex., 20 de nov. de 2026 às 10:00, Loja <contato@loja.example>\nescreveu:\n\n> Qual dia?\n>\n> Loja\n',
    'Pode ser amanhã.',
    'Em sex., 20 de nov. de 2026 às 10:00, Loja <contato@loja.example>\nescreveu:\n\n> Qual dia?\n>\n> Loja',
  ),
  folded(
    'Gmail in English',
    'Yes\n\nOn Fri, Nov 20, 2026 at 10:00 AM Loja wrote:\n> Ok?\n',
    'Yes',
    'On Fri, Nov 20, 2026 at 10:00 AM Loja wrote:\n> Ok?',
  ),
  folded(
    'Outlook in Portuguese',
    'Segue.\n\n________________________________\nDe: Loja <contato@loja.example>\nEnviado: sexta-feira, 20 de novembro de 2026 10:00\nPara: Ana\nAssunto: Pedido\n\nQual dia?',
    'Segue.',
    '________________________________\nDe: Loja <contato@loja.example>\nEnviado: sexta-feira, 20 de novembro de 2026 10:00\nPara: Ana\nAssunto: Pedido\n\nQual dia?',
  ),
  folded(
    'an older Outlook',
    'Ok\n\n-----Mensagem original-----\nDe: Loja\nEnviada em: sexta\nQual dia?',
    'Ok',
    '-----Mensagem original-----\nDe: Loja\nEnviada em: sexta\nQual dia?',
  ),
  folded('only marks, below', 'Sim\n\n> Qual dia?\n> Amanhã?', 'Sim', '> Qual dia?\n> Amanhã?'),
  folded(
    'an iPhone',
    'Sim\n\nEnviado do meu iPhone\n\n> Em 20 de nov. de 2026, à(s) 10:00, Loja <contato@loja.example> escreveu:\n> \n> Qual dia?',
    'Sim\n\nEnviado do meu iPhone',
    '> Em 20 de nov. de 2026, à(s) 10:00, Loja <contato@loja.example> escreveu:\n> \n> Qual dia?',
  ),
  whole(
    'answers between the rows of a quotation',
    'Em 20 de nov., Loja escreveu:\n> Qual dia?\nAmanhã\n> Que horas?\nÀs dez',
  ),
  whole('nothing but a quotation', '> Qual dia?\n> Amanhã?'),
  whole(
    'a mail that is passed on',
    'Veja isto\n\n---------- Mensagem encaminhada ---------\nDe: Beto <beto@x.example>\nEnviado: sexta\nAssunto: Nota\n\nSegue a nota',
  ),
  whole(
    'passed on twice',
    'Fwd\n\n---------- Forwarded message ---------\nFrom: Beto\nDate: Fri\nSubject: Fwd: Nota\nTo: Ana\n\n---------- Forwarded message ---------\nFrom: Caio\nDate: Thu\nSubject: Nota\n\nFim',
  ),
  whole('a text with a mark of its own', 'Custa > 100 reais\nDe: São Paulo para o Rio\nObrigada'),
  whole('a text that says who wrote', 'Em 2020 o autor escreveu: um livro\nGostei'),
  {
    name: 'a quotation in a formatted mail',
    source: mail(
      { 'Content-Type': 'text/html; charset=utf-8' },
      utf8(
        '<div>Pode ser</div><div class="gmail_quote"><div>Em sex., 20 de nov. de 2026 às 10:00, Loja &lt;contato@loja.example&gt; escreveu:<br></div><blockquote><div>Qual dia?</div><div>Loja</div></blockquote></div>',
      ),
    ),
    reads: {
      text: 'Pode ser',
      quoted: 'Em sex., 20 de nov. de 2026 às 10:00, Loja <contato@loja.example> escreveu:\n> Qual dia?\n> Loja',
    },
  },
  whole(
    'rows of one’s own that look like the header of a mail',
    'Orçamento de mudança\n\nDe: Rua A, 10, Santos\nData: 15/01 às 9:30\nPara: Rua B, 20, Recife\n\nQuanto fica?',
  ),
  {
    name: 'the same in an answer, which tells no time',
    source: mail(
      { 'Content-Type': 'text/plain; charset=utf-8', 'In-Reply-To': '<x@y.example>' },
      utf8('Pode ser\n\nDe: Santos\nData: sexta\nPara: Recife'),
    ),
    reads: { text: 'Pode ser\n\nDe: Santos\nData: sexta\nPara: Recife', quoted: '' },
  },
  {
    name: 'an answer below which stands a header without an address',
    source: mail(
      { 'Content-Type': 'text/plain; charset=utf-8', Subject: 'RE: Pedido' },
      utf8('Pode ser\n\nDe: Loja\nEnviado: sexta, 20 de novembro de 2026 10:00\nPara: Ana\n\nQual dia?'),
    ),
    reads: { text: 'Pode ser' },
  },
]
