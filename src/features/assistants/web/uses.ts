import { t } from '#web/t.ts'

/** What calls are for, as people call it. */
export const uses: Readonly<Record<string, string>> = {
  turn: t('Respostas a clientes'),
  copilot: t('Copiloto'),
  transcription: t('Transcrições'),
  voice: t('Respostas em áudio'),
  call: t('Ligações'),
  test: t('Testes'),
}
