import { openingProblem } from '#web/opening-problem.ts'
import { LoadError } from '#web/ui/feedback/states.tsx'

/** Error in place of messages that could not be loaded. */
export const MessagesError = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <LoadError text={openingProblem(error)} retry={retry} />
)
