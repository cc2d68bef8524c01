// Sends one message of so many numbers, and ends.
const length = process.argv[2] ?? ""
const end = () => process.disconnect()
if (length === "none") end()
else process.send?.(Array.from({ length: Number(length) }, Math.random), end)
