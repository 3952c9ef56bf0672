export const cache: Record<string, string>
export const program: string[]
export const environment: Record<string, string>
