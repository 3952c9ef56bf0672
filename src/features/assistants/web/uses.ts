import { t } from '#web/t.ts'

/** Display names of the purposes of calls. */
export const uses: Readonly<Record<string, string>> = {
  turn: t('Respostas a clientes'),
  copilot: t('Copiloto'),
  transcription: t('Transcrições'),
  voice: t('Respostas em áudio'),
  call: t('Ligações'),
  test: t('Testes'),
}
