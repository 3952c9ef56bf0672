import type { OutageCause } from './causes.ts'

/** Display text and advice per outage cause; for screens and mails. */
export const causeTexts: Readonly<Record<OutageCause, { readonly text: string; readonly advice: string }>> = {
  person: {
    text: 'Desconectado por alguém da equipe',
    advice: 'Nada entra nem sai até que se conecte de novo.',
  },
  network: {
    text: 'O canal deixou de responder',
    advice: 'O Guichê tenta de novo sozinho. O que for enviado enquanto isso espera, e nada se perde.',
  },
  proxy: {
    text: 'O proxy deste canal não deixa passar',
    advice: 'Teste-o em Proxies, ou escolha outro. Nada sai sem ele: o que for enviado espera.',
  },
  process: {
    text: 'O servidor que mantinha a conexão parou',
    advice: 'Outro assume em segundos. O que for enviado enquanto isso espera.',
  },
  unread: {
    text: 'Ninguém leu o QR Code a tempo',
    advice: 'Conecte de novo com o telefone em mãos.',
  },
  unlinked: {
    text: 'O telefone desligou este aparelho',
    advice: 'Conecte e leia o QR Code de novo. As conversas continuam de onde pararam.',
  },
  banned: {
    text: 'O número foi bloqueado pelo canal',
    advice: 'Veja no telefone o que ele diz antes de conectar de novo.',
  },
  mismatch: {
    text: 'As chaves já não combinam com as do telefone',
    advice: 'Conecte e leia o QR Code de novo.',
  },
  replaced: {
    text: 'Outro programa assumiu esta conexão',
    advice: 'Feche-o antes de conectar aqui: dois ao mesmo tempo derrubam um ao outro.',
  },
  refused: {
    text: 'O provedor não aceitou os dados',
    advice: 'Confira o que foi preenchido e conecte de novo.',
  },
  missing: {
    text: 'Falta um pacote opcional no servidor',
    advice:
      'Quem cuida da instalação instala o pacote “baileys” (npm install) e reinicia o produto; depois, conecte de novo.',
  },
  token: {
    text: 'O token não vale mais',
    advice: 'Informe outro, ou entre de novo com a conta, e conecte. O que for enviado espera.',
  },
}
