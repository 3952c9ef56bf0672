import { t } from '#web/t.ts'
import type { Outage } from '../contract.ts'

type Cause = Outage['cause']

/** Why a connection is away, and what to do about it. */
export const causes: Readonly<Record<Cause, { readonly text: string; readonly advice: string }>> = {
  person: {
    text: t('Desconectado por alguém da equipe'),
    advice: t('Nada entra nem sai até que se conecte de novo.'),
  },
  network: {
    text: t('O canal deixou de responder'),
    advice: t('O Guichê tenta de novo sozinho. O que for enviado enquanto isso espera, e nada se perde.'),
  },
  process: {
    text: t('O servidor que mantinha a conexão parou'),
    advice: t('Outro assume em segundos. O que for enviado enquanto isso espera.'),
  },
  unread: {
    text: t('Ninguém leu o QR Code a tempo'),
    advice: t('Conecte de novo com o telefone em mãos.'),
  },
  unlinked: {
    text: t('O telefone desligou este aparelho'),
    advice: t('Conecte e leia o QR Code de novo. As conversas continuam de onde pararam.'),
  },
  banned: {
    text: t('O número foi bloqueado pelo canal'),
    advice: t('Veja no telefone o que ele diz antes de conectar de novo.'),
  },
  mismatch: {
    text: t('As chaves já não combinam com as do telefone'),
    advice: t('Conecte e leia o QR Code de novo.'),
  },
  replaced: {
    text: t('Outro programa assumiu esta conexão'),
    advice: t('Feche-o antes de conectar aqui: dois ao mesmo tempo derrubam um ao outro.'),
  },
  refused: {
    text: t('O provedor não aceitou os dados'),
    advice: t('Confira o que foi preenchido e conecte de novo.'),
  },
}
