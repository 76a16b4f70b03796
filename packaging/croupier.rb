# The formula of Homebrew. A release copies it to the repository of the tap.
class Croupier < Formula
  desc "Deals bridge hands that satisfy conditions, solves them, and computes poker equities"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/croupier-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 croupier-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/croupier-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 croupier-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/croupier-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 croupier-@VERSION@-aarch64-unknown-linux-gnu.tar.gz@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/croupier-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 croupier-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@"
    end
  end

  def install
    bin.install "dealer", "croupier"
    man1.install "man/dealer.1", "man/croupier.1"
    %w[dealer croupier].each do |program|
      bash_completion.install "completions/#{program}.bash" => program
      zsh_completion.install "completions/_#{program}"
      fish_completion.install "completions/#{program}.fish"
    end
    pkgshare.install "examples"
  end

  test do
    system bin/"dealer", "-s", "1", "-p", "3", pkgshare/"examples/one-notrump.dl"
    assert_match "AA", shell_output("#{bin}/croupier poker equity AA KK")
  end
end
