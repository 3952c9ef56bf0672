import { isApiError } from '#web/api.ts'
import { openingProblem } from '#web/opening-problem.ts'
import { t } from '#web/t.ts'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import css from '../parts/conversation.module.css'

/** Error in place of a conversation that could not be opened. */
export function Missing({ error, retry, onBack }: { error: unknown; retry: () => void; onBack: () => void }) {
  const isGone = isApiError(error) && error.status === 404
  return (
    <section className={css.missing}>
      {isGone ? (
        <EmptyState
          title={t('Você não tem acesso a este atendimento')}
          text={t('Ele não existe, ou passou para outra fila ou pessoa.')}
          step={{ label: t('Voltar à lista'), run: onBack }}
        />
      ) : (
        <LoadError text={openingProblem(error)} retry={retry} />
      )}
    </section>
  )
}
