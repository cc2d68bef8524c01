/** Moves the focus to the first field that is wrong within an element, once it is marked; if no field is, to what says why. */
export const focusWrong = (within: string): void => {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>(`${within} :is([aria-invalid], [data-wrong])`)
    const reason = document.querySelector<HTMLElement>(`${within} [role=alert]`)
    ;(field ?? reason)?.focus()
  })
}
