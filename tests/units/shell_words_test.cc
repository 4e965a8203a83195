#include "framework/units/shell_words.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWords, SeparatesAtBlanks) {
  EXPECT_THAT(split_words("  srun -N 2\t-n 2 "), ElementsAre("srun", "-N", "2", "-n", "2"));
}
TEST(SplitWords, OfNothingAreNone) { EXPECT_THAT(split_words(" \t"), IsEmpty()); }
TEST(SplitWords, QuotesKeepBlanks) {
  EXPECT_THAT(split_words(R"(a 'b c' "d e" f\ g)"), ElementsAre("a", "b c", "d e", "f g"));
}
TEST(SplitWords, QuotesMayStandInsideAWord) {
  EXPECT_THAT(split_words(R"(--x='a b'c)"), ElementsAre("--x=a bc"));
}
TEST(SplitWords, EmptyQuotesAreAWord) { EXPECT_THAT(split_words(R"(a '' "")"), ElementsAre("a", "", "")); }
TEST(SplitWords, DoubleQuotesKnowTwoEscapes) {
  EXPECT_THAT(split_words(R"("\"\\\n")"), ElementsAre(R"("\\n)"));
}
TEST(SplitWords, ExpandsNothing) {
  EXPECT_THAT(split_words("$HOME * `id`"), ElementsAre("$HOME", "*", "`id`"));
}
TEST(SplitWords, RefusesAnOpenQuote) { EXPECT_THROW((void)split_words("a 'b"), std::invalid_argument); }
TEST(SplitWords, RefusesATrailingBackslash) {
  EXPECT_THROW((void)split_words("a \\"), std::invalid_argument);
}

TEST(JoinWords, IsUndoneBySplit) {
  const std::vector<std::string> words{"a", "b c", "it's", "", "--x=\"y\"", "$(z)"};
  EXPECT_EQ(split_words(join_words(words)), words);
}
TEST(JoinWords, LeavesPlainWordsAlone) {
  EXPECT_EQ(join_words({"mpirun", "-np", "2", "--host", "a:1,b:1"}), "mpirun -np 2 --host a:1,b:1");
}

// What a record may say of a launcher's words.
std::string masked(std::string_view line) { return join_masked(split_words(line)); }

TEST(JoinMasked, HidesTheValuesOfVariables) {
  EXPECT_EQ(masked("mpirun -x TOKEN=s3cret -x PATH -np 2"), "mpirun -x TOKEN=*** -x PATH -np 2");
  EXPECT_EQ(masked("mpirun -x 'TOKEN=two words'"), "mpirun -x TOKEN=***");
  EXPECT_EQ(masked("docker run --env A=s3cret --env=B=s3cret -e C=s3cret image"),
            "docker run --env A=*** --env=B=*** -e C=*** image");
  EXPECT_EQ(masked("srun --export=ALL,A=s3cret,B,C=s3cret -N 2"), "srun --export=ALL,A=***,B,C=*** -N 2");
  EXPECT_EQ(masked("srun \"--export=ALL,A='s3,cret',C\""), "srun --export=ALL,A=***,C");
  EXPECT_EQ(masked("srun --export ALL,A=s3cret"), "srun --export ALL,A=***");
  EXPECT_EQ(masked("env -i A=s3cret _b=s3cret program --x=y"), "env -i A=*** _b=*** program --x=y");
  EXPECT_EQ(masked("mpiexec -genv A s3cret -n 2"), "mpiexec -genv A *** -n 2");
  EXPECT_EQ(masked("mpirun --mca mca_base_env_list 'A=s3cret;B=s3cret'"),
            "mpirun --mca mca_base_env_list A=***");
}
TEST(JoinMasked, HidesThemInACommandLineThatIsOneWord) {
  EXPECT_EQ(masked("rigproof run --launcher 'mpirun -x TOKEN=s3cret -np 2'"),
            "rigproof run --launcher 'mpirun -x TOKEN=*** -np 2'");
  EXPECT_EQ(masked("rigproof run \"--launcher=env TOKEN='s3 cret' srun\""),
            "rigproof run '--launcher=env TOKEN=*** srun'");
  EXPECT_EQ(masked("sh -c \"A=s3cret exec mpirun\""), "sh -c A=***");
}
// Whatever a launcher is given, but what is known to be none.
TEST(JoinMasked, HidesWhatMayBeASecretOfALauncher) {
  const auto launcher = [](std::string_view line) {
    const auto words = split_words(line);
    return join_masked(words, words.size());
  };
  EXPECT_EQ(launcher("sshpass -p s3cret ssh node mpirun -np 2"), "sshpass -p *** ssh *** mpirun -np 2");
  EXPECT_EQ(launcher("sshpass -ps3cret /usr/bin/ssh mpirun"), "sshpass -p*** /usr/bin/ssh mpirun");
  EXPECT_EQ(launcher("/opt/run --password s3cret --token=s3cret --key:s3cret s3cret"),
            "/opt/run --password *** --token=*** --key*** ***");
  EXPECT_EQ(launcher("sh -c 'mpirun -np 2 --secret s3cret'"), "sh -c ***");
  EXPECT_EQ(launcher("mpirun -np 2 --mca plm_rsh_agent 'sshpass -p s3cret ssh'"),
            "mpirun -np 2 --mca plm_rsh_agent 'sshpass -p *** ssh'");
  EXPECT_EQ(launcher("env 'OMPI_MCA_plm_rsh_agent=sshpass -p s3cret ssh' mpirun"),
            "env 'OMPI_MCA_plm_rsh_agent=sshpass -p *** ssh' mpirun");
  EXPECT_EQ(launcher("srun -N2 -n 2 -w node-a,node-b --export=ALL,A=s3cret --comment s3cret"),
            "srun -N2 -n 2 -w node-a,node-b --export=ALL,A=*** --comment ***");
  EXPECT_EQ(launcher("mpiexec -genv A s3cret -n 2"), "mpiexec -genv A *** -n 2");
  for (const char* open :
       {"mpirun -np 2 --host a:1,b:1 --mca btl tcp,self -x PATH --map-by node --oversubscribe",
        "numactl --cpunodebind=0 taskset -c 1-3 mpirun", "srun --mpi=pmix -N 2 --exclude=c"})
    EXPECT_EQ(launcher(open), open);
}
TEST(JoinMasked, HidesThemInTheOptionThatNamesTheLauncher) {
  EXPECT_EQ(masked("rigproof run --out out --launcher 'sshpass -p s3cret ssh' --seed 2"),
            "rigproof run --out out --launcher 'sshpass -p *** ssh' --seed 2");
  EXPECT_EQ(masked("rigproof run '--launcher=wrap --password s3cret'"),
            "rigproof run '--launcher=wrap --password ***'");
  EXPECT_EQ(masked("rigproof run --launcher \"wrap 's3cret\""), "rigproof run --launcher ***");
}
TEST(JoinMasked, LeavesTheRestAlone) {
  for (const char* line :
       {"mpirun -np 2 --host a:1,b:1", "env OMPI_MCA_btl=tcp,self program --report-to 127.0.0.1:4242/ab",
        "rigproof run --gtest_filter='*/rail0' --launcher 'srun -N 2'", "--launcher=mpirun --hosts=a/b,c/d",
        "rigproof run --label customer=Example --label='site=Hall 3'"})
    EXPECT_EQ(masked(line), join_words(split_words(line)));
}

}  // namespace
}  // namespace rigproof
