// What the page and its worker both say.

const bytesInWords = (count) => (count < 1024 ? `${count} bytes` : count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`);
