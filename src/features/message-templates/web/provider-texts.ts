import { isApiError, sentence } from '#web/api.ts'
import { t } from '#web/t.ts'

/** Returns the display text of a refusal, with the provider's reason. */
export function refusalText(error: unknown): string {
  const reason = isApiError(error) && error.code === 'ERR_TEMPLATE_PROVIDER' ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : sentence(error)
}

const REASONS: Readonly<Record<string, string>> = {
  ABUSIVE_CONTENT: t('O texto ofende ou ameaça.'),
  INCORRECT_CATEGORY: t('A categoria não combina com o texto.'),
  INVALID_FORMAT: t('As variáveis ou os exemplos estão fora do formato.'),
  PROMOTIONAL: t('É propaganda fora da categoria Marketing.'),
  SCAM: t('Parece um golpe.'),
  TAG_CONTENT_MISMATCH: t('O texto não está no idioma ou na categoria escolhidos.'),
}

/** Returns the display text of a template's rejection; unknown reasons unchanged. */
export const rejectionText = (reason: string): string => REASONS[reason] ?? reason
