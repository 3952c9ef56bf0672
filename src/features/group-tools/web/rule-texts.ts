import type { GroupRuleKind } from '#domain/groups/tools.ts'
import { t } from '#web/t.ts'

type Texts = {
  readonly title: string
  readonly one: string
  readonly value: string
  readonly hint: string
  readonly nouns: readonly [string, string]
  readonly add: string
  readonly first: string
  readonly file: string
  readonly empty: { readonly title: string; readonly text: string }
}

/** Display texts of each kind of group rule. */
export const RULES: Readonly<Record<GroupRuleKind, Texts>> = {
  greeting: {
    ...{ title: t('Mensagem de saudação'), one: t('Saudação'), value: t('Mensagem'), file: 'saudacoes' },
    hint: t('Vai ao grupo quando alguém entra. {{name}} é quem entrou, {{group}} o grupo.'),
    nouns: [t('saudação'), t('saudações')],
    ...{ add: t('Nova saudação'), first: t('Criar a primeira') },
    empty: {
      title: t('Nenhuma saudação'),
      text: t('Quem entra em um grupo é recebido pelo nome; os que entram juntos, de uma vez.'),
    },
  },
  farewell: {
    ...{ title: t('Mensagem de despedida'), one: t('Despedida'), value: t('Mensagem'), file: 'despedidas' },
    hint: t('Vai ao grupo quando alguém sai. {{name}} é quem saiu, {{group}} o grupo.'),
    nouns: [t('despedida'), t('despedidas')],
    ...{ add: t('Nova despedida'), first: t('Criar a primeira') },
    empty: { title: t('Nenhuma despedida'), text: t('Quando alguém sai de um grupo, o grupo lê a sua mensagem.') },
  },
  ban: {
    ...{ title: t('Números banidos'), one: t('Número banido'), value: t('Número'), file: 'numeros-banidos' },
    hint: t('Com DDD. É removido quando entra no grupo; para isso o número do canal precisa ser administrador.'),
    nouns: [t('número'), t('números')],
    ...{ add: t('Banir número'), first: t('Banir o primeiro') },
    empty: { title: t('Nenhum número banido'), text: t('Um número banido é removido assim que entra no grupo.') },
  },
  word: {
    ...{ title: t('Palavras proibidas'), one: t('Palavra proibida'), value: t('Palavra'), file: 'palavras-proibidas' },
    hint: t('Palavra ou frase inteira; maiúsculas e acentos não importam. Administradores podem escrevê-la.'),
    nouns: [t('palavra'), t('palavras')],
    ...{ add: t('Nova palavra'), first: t('Criar a primeira') },
    empty: {
      title: t('Nenhuma palavra proibida'),
      text: t('O que tem a palavra é apagado ou avisado, e quem insiste é removido. O vigia se liga em cada canal.'),
    },
  },
}
